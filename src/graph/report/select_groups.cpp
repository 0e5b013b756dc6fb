#include "graph/report/select_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/report/find_provenance.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

using NameList = std::vector<std::string>;

/// Returns the names of the kernels of each group.
std::vector<NameList> entries_of(const Graph& compiled) {
  std::vector<NameList> entries(compiled.groups.size());
  std::size_t launch = 0;
  for (std::size_t group = 0; group < entries.size(); ++group) {
    const auto& program = compiled.lowered[group].program;
    for (std::size_t i = 0; program && i < program->launches.size(); ++i, ++launch)
      entries[group].push_back(compiled.program.kernels[compiled.program.launches[launch].kernel].entry);
  }
  return entries;
}

/// "a, b, c and 40 more", each name once.
std::string listed(const NameList& names) {
  constexpr std::size_t kShown = 12;
  NameList distinct;
  for (const std::string& name : names) {
    if (!name.empty() && std::ranges::find(distinct, name) == distinct.end()) distinct.push_back(name);
  }
  if (distinct.empty()) return "none";
  const std::size_t shown = std::min(kShown, distinct.size());
  const std::string text = fmt::format(
      "{}", fmt::join(distinct.begin(), distinct.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == distinct.size() ? text : fmt::format("{} and {} more", text, distinct.size() - shown);
}

/// Returns the groups of the operators that `is_wanted` accepts.
template <typename Predicate>
std::set<std::size_t> groups_where(const std::vector<Inspection::Operator>& operators,
                                   const Predicate& is_wanted) {
  std::set<std::size_t> groups;
  for (const Inspection::Operator& op : operators) {
    if (is_wanted(op)) groups.insert(op.groups.begin(), op.groups.end());
  }
  return groups;
}

}  // namespace

std::set<std::size_t> select_groups(const definitions::DefinitionGraph& imported, const Graph& compiled,
                                    const std::string& filter, const std::string& call) {
  if (filter.empty()) {
    std::vector<std::size_t> all(compiled.groups.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return {all.begin(), all.end()};
  }
  const std::vector<Inspection::Operator> operators = find_provenance(imported, compiled);
  const auto is_exact = [&](const Inspection::Operator& op) {
    return op.node == filter || op.output == filter;
  };
  std::set<std::size_t> groups = groups_where(operators, is_exact);
  if (!groups.empty()) return groups;
  const auto has = [&](const std::string& name) { return name.find(filter) != std::string::npos; };
  groups =
      groups_where(operators, [&](const Inspection::Operator& op) { return has(op.node) || has(op.output); });
  const std::vector<NameList> entries = entries_of(compiled);
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    const definitions::StoredGroup& group = compiled.scheduled[i].group;
    if (has(group.label) || has(group.outputs[0].name()) || has(stored_name(compiled, i)) ||
        std::ranges::any_of(entries[i], has))
      groups.insert(i);
  }
  if (!groups.empty()) return groups;
  NameList kernels, nodes;
  for (const NameList& names : entries) kernels.insert(kernels.end(), names.begin(), names.end());
  for (const Inspection::Operator& op : operators) nodes.push_back(op.node);
  throw Error(fmt::format(
      "{}: no kernel, node or tensor has \"{}\" in its name; the kernels are {}; the nodes are {}", call,
      filter, listed(kernels), listed(nodes)));
}

}  // namespace tensordsl::graph

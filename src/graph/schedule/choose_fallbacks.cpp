#include "graph/schedule/choose_fallbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <variant>

namespace tensordsl::graph {
namespace {

std::set<std::string> images_of(const DefinitionGraph& graph, const StoredGroup& group) {
  std::set<std::string> names;
  for (const GroupOperand& operand : group.operands) {
    if (operand.stored.image) names.insert(graph.tensors[operand.tensor].name);
  }
  for (std::size_t i = 0; i < group.stored.size(); ++i) {
    if (group.stored[i].image) names.insert(graph.tensors[group.stored_tensors[i]].name);
  }
  return names;
}

/// Returns the tensors of a group refused as one kernel that are several in one; all of its tensors, if it
/// has several and none of them is.
std::set<std::string> too_large(const Graph& graph, const FusedGroup& group) {
  std::set<std::string> of_several, all;
  for (const std::size_t tensor : group.tensors) {
    const DefinedTensor& t = graph.definitions.tensors[tensor];
    all.insert(t.name);
    if (!t.fused.empty()) of_several.insert(t.name);
  }
  if (!of_several.empty()) return of_several;
  return all.size() > 1 ? all : std::set<std::string>();
}

bool is_of_several(const Graph& graph, const FusedGroup& group) {
  return group.anchors.size() > 1 || std::ranges::any_of(group.tensors, [&](std::size_t tensor) {
           return !graph.definitions.tensors[tensor].fused.empty();
         });
}

/// Returns the tensors that windows slide over in the group, which would be stored without it.
std::set<std::string> slid_over(const Graph& graph, const FusedGroup& group) {
  std::set<std::string> names;
  for (const FusedGroup& placed : graph.placed) {
    const std::size_t stored = placed.stored_tensors[0];
    if (stored != group.stored_tensors[0] && std::ranges::count(group.tensors, stored) > 0)
      names.insert(graph.definitions.tensors[stored].name);
  }
  return names;
}

/// Of a Program with kernels whose work-groups have more items than is allowed, the fewest that are allowed
/// one of these.
std::optional<std::int64_t> allowed_items(const Program& program,
                                          const std::function<std::int64_t(const KernelSource&)>& allowed) {
  std::optional<std::int64_t> fewest;
  for (const KernelSource& kernel : program.kernels) {
    const auto& size = kernel.launch.group_size;
    const std::int64_t most = allowed(kernel);
    if (std::int64_t{size[0]} * size[1] * size[2] > most) fewest = std::min(fewest.value_or(most), most);
  }
  return fewest;
}

}  // namespace

std::optional<Alternative> alternative_of(const Graph& graph, const FusedGroup& group) {
  const std::size_t tensor = group.stored_tensors[0];
  if (std::holds_alternative<WinogradForm>(group.form))
    return Alternative{&Fallbacks::winograd, {graph.definitions.tensors[tensor].name}};
  if (std::set<std::string> names = slid_over(graph, group); !names.empty())
    return Alternative{&Fallbacks::sliding, std::move(names)};
  if (is_of_several(graph, group)) return Alternative{&Fallbacks::together, too_large(graph, group)};
  return std::nullopt;
}

void split_slower_groups(Graph& graph, const GraphContext&) {
  for (std::size_t i = 0; i < graph.scheduled.size(); ++i) {
    if (!graph.scheduled[i].is_better_apart || !graph.scheduled[i].refusal.empty()) continue;
    if (auto alternative = alternative_of(graph, graph.groups[i]))
      (graph.fallbacks.*alternative->without).merge(alternative->names);
  }
}

void choose_fallbacks(Graph& graph, const GraphContext&) {
  Fallbacks& fallbacks = graph.fallbacks;
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    const ScheduledGroup& scheduled = graph.scheduled[i];
    const FusedGroup& group = graph.groups[i];
    if (graph.lowered[i].program || !scheduled.refusal.empty()) continue;
    const auto fall_back = [&](std::set<std::string>& known, std::set<std::string> names,
                               const char* instead) {
      const std::size_t before = known.size();
      known.merge(names);
      if (known.size() == before) return;
      fallbacks.warnings.push_back(
          fmt::format("{}: {}, because {}", scheduled.nodes, instead, graph.lowered[i].refusal));
    };
    const std::string& stored = graph.definitions.tensors[group.stored_tensors[0]].name;
    std::set<std::string> names = images_of(graph.definitions, scheduled.group);
    if (!names.empty()) {
      fall_back(fallbacks.images, std::move(names), "buffers instead of images");
    } else if (std::holds_alternative<WinogradForm>(group.form)) {
      fall_back(fallbacks.winograd, {stored}, "not by Winograd's way");
    } else if (names = slid_over(graph, group); !names.empty()) {
      fall_back(fallbacks.sliding, std::move(names), "two kernels");
    } else if (!scheduled.schedule.strategy->fallback.empty()) {
      fall_back(fallbacks.strategy, {stored}, "by a simpler schedule");
    } else {
      fall_back(fallbacks.together, too_large(graph, group), "several kernels");
    }
  }
}

void fit_work_groups(Graph& graph, const GraphContext& context) {
  Fallbacks& fallbacks = graph.fallbacks;
  std::map<const Program*, std::optional<std::int64_t>> allowed;  // of those that are too large
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    const ScheduledGroup& scheduled = graph.scheduled[i];
    const Program* program = graph.lowered[i].program.get();
    if (!program) continue;
    const auto [found, is_new] = allowed.try_emplace(program);
    if (is_new) found->second = allowed_items(*program, context.options.max_group_size);
    if (!found->second) continue;
    const std::string& name = graph.definitions.tensors[graph.groups[i].stored_tensors[0]].name;
    const auto [most, is_first] = fallbacks.most_items.try_emplace(name, *found->second);
    const bool is_smaller = is_first || *found->second < most->second;
    const bool has_other =
        !scheduled.schedule.strategy->fallback.empty() && !fallbacks.strategy.contains(name);
    if (!is_smaller && !has_other) continue;  // the device says so when it is to build the kernel
    most->second = std::min(most->second, *found->second);
    if (!is_smaller) fallbacks.strategy.insert(name);
    fallbacks.warnings.push_back(
        fmt::format("{}: smaller work-groups, because the driver allows the kernel {} {} work-items",
                    scheduled.nodes, program->kernels[0].entry, *found->second));
  }
}

}  // namespace tensordsl::graph

#include "graph/schedule/choose_fallbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <variant>

namespace tensordsl::graph {
namespace {

using definitions::FusedGroup;

std::set<std::string> images_of(const definitions::DefinitionGraph& graph,
                                const definitions::StoredGroup& group) {
  std::set<std::string> names;
  for (const definitions::GroupOperand& operand : group.operands) {
    if (operand.stored.image) names.insert(graph.tensors[operand.tensor].name);
  }
  for (std::size_t i = 0; i < group.stored.size(); ++i) {
    if (group.stored[i].image) names.insert(graph.tensors[group.stored_tensors[i]].name);
  }
  return names;
}

/// Returns the tensors of a group that are several in one.
std::set<std::string> fused_tensors(const Graph& graph, const FusedGroup& group) {
  std::set<std::string> names;
  for (const std::size_t tensor : group.tensors) {
    const definitions::DefinedTensor& t = graph.definitions.tensors[tensor];
    if (!t.fused.empty()) names.insert(t.name);
  }
  return names;
}

/// Returns all tensors of a group that has several.
std::set<std::string> tensors_of_several(const Graph& graph, const FusedGroup& group) {
  std::set<std::string> names;
  if (group.tensors.size() < 2) return names;
  for (const std::size_t tensor : group.tensors) names.insert(graph.definitions.tensors[tensor].name);
  return names;
}

/// Returns the tensors that windows slide over in the group, which would be stored without it.
std::set<std::string> slid_over(const Graph& graph, const FusedGroup& group) {
  std::set<std::string> names;
  if (!std::holds_alternative<definitions::SlidingForm>(group.form)) return names;
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
  if (std::holds_alternative<definitions::WinogradForm>(group.form))
    return Alternative{Refusal::Winograd, {graph.definitions.tensors[tensor].name}};
  if (std::set<std::string> names = slid_over(graph, group); !names.empty())
    return Alternative{Refusal::Sliding, std::move(names)};
  std::set<std::string> names = fused_tensors(graph, group);
  if (names.empty() && group.anchors.size() > 1) names = tensors_of_several(graph, group);
  return names.empty() ? std::nullopt : std::optional(Alternative{Refusal::Together, std::move(names)});
}

void split_slower_groups(Graph& graph, const GraphContext&) {
  for (std::size_t i = 0; i < graph.scheduled.size(); ++i) {
    if (!graph.scheduled[i].is_better_apart || !graph.scheduled[i].refusal.empty()) continue;
    if (auto alternative = alternative_of(graph, graph.groups[i]))
      graph.fallbacks.refuse(alternative->without, std::move(alternative->names));
  }
}

void choose_fallbacks(Graph& graph, const GraphContext&) {
  Fallbacks& fallbacks = graph.fallbacks;
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    const ScheduledGroup& scheduled = graph.scheduled[i];
    const FusedGroup& group = graph.groups[i];
    if (graph.lowered[i].program || !scheduled.refusal.empty()) continue;
    const std::string& reason = graph.lowered[i].refusal;
    const auto warn = [&](bool is_new, const char* instead) {
      if (is_new)
        fallbacks.warnings.push_back(fmt::format("{}: {}, because {}", scheduled.nodes, instead, reason));
      return is_new;
    };
    const auto refuse = [&](Refusal kind, std::set<std::string> names, const char* instead) {
      return warn(fallbacks.refuse(kind, std::move(names)), instead);
    };
    const std::string& stored = graph.definitions.tensors[group.stored_tensors[0]].name;
    const auto refuse_strategy = [&] {
      warn(fallbacks.refuse_strategy(stored, scheduled.schedule.strategy->name, reason),
           "by a simpler schedule");
    };
    if (refuse(Refusal::Images, images_of(graph.definitions, scheduled.group), "buffers instead of images"))
      continue;
    if (scheduled.is_tuned && refuse(Refusal::Tuned, {stored}, "by the schedule that needs no trial"))
      continue;
    if (std::holds_alternative<definitions::WinogradForm>(group.form)) {
      refuse(Refusal::Winograd, {stored}, "not by Winograd's way");
    } else if (std::holds_alternative<definitions::SlidingForm>(group.form)) {
      refuse(Refusal::Sliding, slid_over(graph, group), "two kernels");
    } else if (!scheduled.schedule.strategy->fallback.empty()) {
      refuse_strategy();
    } else {
      std::set<std::string> names = fused_tensors(graph, group);
      if (names.empty()) names = tensors_of_several(graph, group);
      if (!refuse(Refusal::Together, std::move(names), "several kernels")) refuse_strategy();
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
    // Where the schedule had no smaller work-groups when they were limited, another strategy may.
    const bool is_smaller = fallbacks.limit_items(name, *found->second);
    const std::string reason = fmt::format("the driver allows the kernel {} {} work-items",
                                           program->kernels[0].entry, *found->second);
    if (!is_smaller && !fallbacks.refuse_strategy(name, scheduled.schedule.strategy->name, reason)) continue;
    fallbacks.warnings.push_back(fmt::format("{}: smaller work-groups, because {}", scheduled.nodes, reason));
  }
}

}  // namespace tensordsl::graph

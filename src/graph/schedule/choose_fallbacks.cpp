#include "graph/schedule/choose_fallbacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "graph/schedule/choose_schedules.h"
#include "graph/schedule/schedule_group.h"

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

struct TooLarge {
  std::string kernel;
  std::int64_t allowed = 0;  // work-items
};

/// Returns the kernel whose work-groups have more items than are allowed; of several the one with the fewest.
std::optional<TooLarge> too_large(const Program& program,
                                  const std::function<std::int64_t(const KernelSource&)>& allowed) {
  std::optional<TooLarge> worst;
  for (const KernelSource& kernel : program.kernels) {
    const auto& size = kernel.launch.group_size;
    const std::int64_t most = allowed(kernel);
    if (std::int64_t{size[0]} * size[1] * size[2] <= most || (worst && worst->allowed <= most)) continue;
    worst = {kernel.entry, most};
  }
  return worst;
}

/// Refuses the first way of computing the group that is left to refuse. Returns how it is computed instead.
const char* refuse_next(Graph& graph, const CompileOptions& options, std::size_t place,
                        const std::string& reason) {
  Fallbacks& fallbacks = graph.fallbacks;
  const ScheduledGroup& scheduled = graph.scheduled[place];
  const FusedGroup& group = graph.groups[place];
  const std::string& stored = stored_name(graph, place);
  const bool is_chosen = scheduled.is_tuned || scheduled.is_priced;
  if (is_chosen && fallbacks.refuse(Refusal::Tuned, {stored})) return "with the default schedule";
  const bool has_winograd = std::holds_alternative<definitions::WinogradForm>(group.form);
  if (has_winograd && fallbacks.refuse(Refusal::Winograd, {stored})) return "without Winograd";
  if (fallbacks.refuse(Refusal::Sliding, slid_over(graph, group))) return "two kernels";
  if (scheduled.schedule.strategy->fallback.empty()) {
    std::set<std::string> names = fused_tensors(graph, group);
    if (names.empty()) names = tensors_of_several(graph, group);
    if (fallbacks.refuse(Refusal::Together, std::move(names))) {
      fallbacks.forget_schedules(stored);
      return "several kernels";
    }
  }
  fallbacks.refuse_strategy(stored, scheduled.schedule.strategy->name, reason);
  // The group itself has its schedule by now.
  const definitions::StoredGroup fresh = prepared_group(graph, definitions::TensorFuncs(graph.definitions),
                                                        place, options.precision, scheduled.target);
  const auto other = choose_other_schedule(fresh, scheduled.target, fallbacks.strategies(stored));
  return other ? "with a simpler schedule" : "on the host";
}

void warn(Graph& graph, std::size_t place, const char* instead, const std::string& reason) {
  std::vector<std::string>& warnings = graph.fallbacks.warnings;
  std::string warning = fmt::format("{}: {}, because {}", graph.scheduled[place].nodes, instead, reason);
  if (std::ranges::count(warnings, warning) == 0) warnings.push_back(std::move(warning));
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

void choose_fallbacks(Graph& graph, const GraphContext& context) {
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    if (graph.lowered[i].program || !graph.scheduled[i].refusal.empty()) continue;
    const std::string& reason = graph.lowered[i].refusal;
    const bool has_buffers =
        graph.fallbacks.refuse(Refusal::Images, images_of(graph.definitions, graph.scheduled[i].group));
    warn(graph, i, has_buffers ? "buffers instead of images" : refuse_next(graph, context.options, i, reason),
         reason);
  }
}

void fit_work_groups(Graph& graph, const GraphContext& context) {
  std::map<const Program*, std::optional<TooLarge>> found;  // by the Program of equal groups
  for (std::size_t i = 0; i < graph.groups.size(); ++i) {
    const Program* program = graph.lowered[i].program.get();
    if (!program) continue;
    const auto [known, is_new] = found.try_emplace(program);
    if (is_new) known->second = too_large(*program, context.options.max_group_size);
    if (!known->second) continue;
    const auto& [kernel, allowed] = *known->second;
    const std::string reason =
        fmt::format("the driver limits the kernel {} to {} work-items", kernel, allowed);
    // Where the schedule had no smaller work-groups when they were limited, something else may.
    const bool is_smaller = graph.fallbacks.limit_items(stored_name(graph, i), allowed);
    warn(graph, i, is_smaller ? "smaller work-groups" : refuse_next(graph, context.options, i, reason),
         reason);
  }
}

}  // namespace tensordsl::graph

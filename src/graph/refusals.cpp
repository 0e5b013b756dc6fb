#include "graph/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace tensordsl {
namespace {

std::set<std::string> images_of(const PlannedGraph& plan, const Group& group) {
  std::set<std::string> names;
  for (const GroupOperand& operand : group.operands) {
    if (operand.stored.image) names.insert(plan.graph.tensors[operand.tensor].name);
  }
  for (std::size_t i = 0; i < group.stored.size(); ++i) {
    if (group.stored[i].image) names.insert(plan.graph.tensors[group.stored_tensors[i]].name);
  }
  return names;
}

/// Of a group that the device refuses as one kernel, the tensors that are several in one; if there are none
/// and it has several tensors, all.
std::set<std::string> too_large(const PlannedGraph& plan, const Group& group) {
  std::set<std::string> of_several, all;
  for (const std::size_t tensor : group.tensors) {
    const DefinedTensor& t = plan.graph.tensors[tensor];
    all.insert(t.name);
    if (!t.fused.empty()) of_several.insert(t.name);
  }
  if (!of_several.empty()) return of_several;
  return all.size() > 1 ? all : std::set<std::string>();
}

bool is_of_several(const PlannedGraph& plan, const Group& group) {
  return group.anchors.size() > 1 || std::ranges::any_of(group.tensors, [&](std::size_t tensor) {
           return !plan.graph.tensors[tensor].fused.empty();
         });
}

/// Of what windows slide over in such a group, the tensors that would be stored.
std::set<std::string> slid_over(const PlannedGraph& plan, const Group& group) {
  std::set<std::string> names;
  for (const Group& placed : plan.placed) {
    const std::size_t stored = placed.stored_tensors[0];
    if (stored != group.stored_tensors[0] && std::ranges::count(group.tensors, stored) > 0)
      names.insert(plan.graph.tensors[stored].name);
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

std::optional<Alternative> alternative_of(const PlannedGraph& plan, const Group& group) {
  const std::size_t tensor = group.stored_tensors[0];
  if (plan.winograd.contains(tensor))
    return Alternative{&Refused::winograd, {plan.graph.tensors[tensor].name}};
  if (std::set<std::string> names = slid_over(plan, group); !names.empty())
    return Alternative{&Refused::slid_over, std::move(names)};
  if (is_of_several(plan, group)) return Alternative{&Refused::together, too_large(plan, group)};
  return std::nullopt;
}

bool note_better_apart(const PlannedGraph& plan, const std::vector<ScheduledGroup>& scheduled,
                       Refused& refused) {
  const std::size_t before = refused.size();
  for (std::size_t i = 0; i < scheduled.size(); ++i) {
    if (!scheduled[i].is_better_apart || !scheduled[i].refusal.empty()) continue;
    if (auto alternative = alternative_of(plan, plan.groups[i]))
      (refused.*alternative->without).merge(alternative->names);
  }
  return refused.size() > before;
}

void note_refusals(const CompiledGraph& compiled, Refused& refused, ImageUse& images,
                   std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    const ScheduledGroup& group = compiled.scheduled[i];
    if (compiled.lowered[i].program || !group.refusal.empty()) continue;
    const auto note = [&](std::set<std::string>& known, std::set<std::string> names, const char* instead) {
      const std::size_t before = known.size();
      known.merge(names);
      if (known.size() == before) return;
      warnings.push_back(
          fmt::format("{}: {}, because {}", group.nodes, instead, compiled.lowered[i].refusal));
    };
    const std::size_t tensor = group.group.stored_tensors[0];
    std::set<std::string> names = images_of(compiled, group.group);
    if (!names.empty()) {
      note(images.kept_buffers, std::move(names), "buffers instead of images");
    } else if (compiled.winograd.contains(tensor)) {
      note(refused.winograd, {compiled.graph.tensors[tensor].name}, "not by Winograd's way");
    } else if (names = slid_over(compiled, group.group); !names.empty()) {
      note(refused.slid_over, std::move(names), "two kernels");
    } else if (!group.schedule.strategy->stand_in.empty()) {
      note(refused.stood_in, {compiled.graph.tensors[tensor].name}, "by a simpler schedule");
    } else {
      note(refused.together, too_large(compiled, group.group), "several kernels");
    }
  }
}

bool note_work_groups(const CompiledGraph& compiled, const LoweringOptions& options, Refused& refused,
                      std::vector<std::string>& warnings) {
  std::map<const Program*, std::optional<std::int64_t>> allowed;  // of those that are too large
  bool is_noted = false;
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    const ScheduledGroup& group = compiled.scheduled[i];
    const Program* program = compiled.lowered[i].program.get();
    if (!program) continue;
    const auto [found, is_new] = allowed.try_emplace(program);
    if (is_new) found->second = allowed_items(*program, options.max_group_size);
    if (!found->second) continue;
    const std::string& name = compiled.graph.tensors[group.group.stored_tensors[0]].name;
    const auto [most, is_first] = refused.most_items.try_emplace(name, *found->second);
    const bool is_smaller = is_first || *found->second < most->second;
    const bool has_other = !group.schedule.strategy->stand_in.empty() && !refused.stood_in.contains(name);
    if (!is_smaller && !has_other) continue;  // the device says so when it is to build the kernel
    most->second = std::min(most->second, *found->second);
    if (!is_smaller) refused.stood_in.insert(name);
    warnings.push_back(
        fmt::format("{}: smaller work-groups, because the driver allows the kernel {} {} work-items",
                    group.nodes, program->kernels[0].entry, *found->second));
    is_noted = true;
  }
  return is_noted;
}

}  // namespace tensordsl

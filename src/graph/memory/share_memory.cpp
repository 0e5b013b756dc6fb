#include "graph/memory/share_memory.h"

#include <algorithm>
#include <map>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>

#include "graph/memory/plan_memory.h"

namespace tensordsl::graph {
namespace {

using Lives = std::vector<std::optional<Lifetime>>;

/// The tensors that have a lifetime, in the order of their first use; equal ones in their own order.
std::vector<std::size_t> by_first_use(const Lives& lives) {
  auto order = ranges::views::iota(std::size_t{0}, lives.size()) |
               ranges::views::filter([&](std::size_t t) { return lives[t].has_value(); }) |
               ranges::to<std::vector>();
  std::ranges::stable_sort(order, {}, [&](std::size_t t) { return lives[t]->first; });
  return order;
}

/// The tensor of a launch's only argument that may overlap and is accessed so; none if it has it twice.
std::optional<std::size_t> overlapping(const Program& program, const Program::Launch& launch,
                                       KernelArgument::Access access) {
  const std::vector<KernelArgument>& arguments = program.kernels[launch.kernel].arguments;
  std::optional<int> found;
  for (std::size_t a = 0; a < arguments.size(); ++a) {
    if (!arguments[a].may_overlap || arguments[a].access != access) continue;
    if (found) return std::nullopt;
    found = launch.tensors[a];
  }
  if (!found || std::ranges::count(launch.tensors, *found) != 1) return std::nullopt;
  return static_cast<std::size_t>(*found);
}

/// Maps each tensor that is computed in place to the one whose memory it takes, which is read for the last
/// time there.
std::map<std::size_t, std::size_t> overwritten_tensors(const Program& program, const Lives& lives) {
  std::map<std::size_t, std::size_t> result;
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const auto read = overlapping(program, program.launches[i], KernelArgument::Access::ReadOnly),
               written = overlapping(program, program.launches[i], KernelArgument::Access::WriteOnly);
    if (!read || !written || !lives[*read] || !lives[*written]) continue;
    const int step = 2 * static_cast<int>(i) + 1;
    if (lives[*read]->first < step && lives[*read]->last == step && lives[*written]->first == step &&
        lives[*read]->bytes == lives[*written]->bytes)
      result[*written] = *read;
  }
  return result;
}

}  // namespace

MemoryLimits memory_limits(const std::optional<DeviceInfo>& device) {
  MemoryLimits limits;
  if (!device) return limits;
  limits.alignment = std::max(limits.alignment, device->buffer_alignment_bytes);
  limits.allows_offsets = device->has_unified_memory;
  if (device->max_allocation_bytes > 0) limits.most_slot_bytes = device->max_allocation_bytes;
  return limits;
}

SharedBuffers shared_buffers(const Program& program) {
  const std::vector<std::optional<Lifetime>> lives = find_lifetimes(program);
  const std::map<std::size_t, std::size_t> overwritten = overwritten_tensors(program, lives);
  SharedBuffers shared;
  std::map<std::size_t, std::size_t> rows;  // by tensor
  for (const std::size_t t : by_first_use(lives)) {
    if (program.tensors[t].image) continue;
    const auto before = overwritten.find(t);
    const std::size_t row = before == overwritten.end() ? shared.lives.size() : rows.at(before->second);
    if (row == shared.lives.size()) {
      shared.tensors.emplace_back();
      shared.lives.push_back(*lives[t]);
    }
    shared.tensors[row].push_back(t);
    shared.lives[row].last = lives[t]->last;
    rows[t] = row;
  }
  return shared;
}

void share_memory(Program& program, const MemoryLimits& limits) {
  const SharedBuffers shared = shared_buffers(program);
  MemoryPlan plan = plan_memory(shared.lives, limits).plan;
  for (std::size_t row = 0; row < shared.tensors.size(); ++row) {
    for (const std::size_t tensor : shared.tensors[row]) {
      program.tensors[tensor].slot = plan.places[row].slot;
      program.tensors[tensor].offset = plan.places[row].offset;
    }
  }
  program.slot_bytes = std::move(plan.slot_bytes);
}

void share_memory(Graph& graph, const GraphContext& context) {
  share_memory(graph.program, memory_limits(context.options.device));
}

}  // namespace tensordsl::graph

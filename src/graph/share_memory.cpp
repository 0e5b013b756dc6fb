#include "graph/share_memory.h"

#include <algorithm>

#include "graph/plan_memory.h"

namespace tensordsl {

MemoryLimits memory_limits(const std::optional<DeviceInfo>& device) {
  MemoryLimits limits;
  if (!device) return limits;
  limits.alignment = std::max(limits.alignment, device->buffer_alignment_bytes);
  if (device->max_allocation_bytes > 0) limits.most_slot_bytes = device->max_allocation_bytes;
  return limits;
}

SharedBuffers shared_buffers(const Program& program) {
  SharedBuffers shared;
  const std::vector<std::optional<Lifetime>> lives = find_lifetimes(program);
  for (std::size_t t = 0; t < lives.size(); ++t) {
    if (!lives[t] || program.tensors[t].image) continue;
    shared.tensors.push_back(t);
    shared.lives.push_back(*lives[t]);
  }
  return shared;
}

void share_memory(Program& program, const MemoryLimits& limits) {
  const SharedBuffers shared = shared_buffers(program);
  MemoryPlan plan = plan_memory(shared.lives, limits).plan;
  for (std::size_t i = 0; i < shared.tensors.size(); ++i) {
    Program::Tensor& tensor = program.tensors[shared.tensors[i]];
    tensor.slot = plan.places[i].slot;
    tensor.offset = plan.places[i].offset;
  }
  program.slot_bytes = std::move(plan.slot_bytes);
}

}  // namespace tensordsl

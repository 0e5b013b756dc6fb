#include "runtime/memory/allocate_slots.h"

#include <algorithm>
#include <map>

#include "runtime/values/evaluate.h"

namespace tensordsl::runtime {
namespace {

struct Slot {
  std::int64_t bytes = 0;
  bool is_one = true, has_parts = false;
};

std::vector<Slot> slots_of(const Program& program, const DeviceInfo& device) {
  std::vector<Slot> slots;
  for (const std::int64_t bytes : program.slot_bytes) {
    const bool is_too_large = device.max_allocation_bytes > 0 && bytes > device.max_allocation_bytes;
    slots.push_back({bytes, !is_too_large, false});
  }
  for (const Program::Tensor& t : program.tensors) {
    if (t.slot < 0 || t.offset == 0) continue;
    Slot& slot = slots[static_cast<std::size_t>(t.slot)];
    slot.has_parts = true;
    // Cards have memory enough, and their drivers take long over parts of buffers.
    if (t.offset % device.buffer_alignment_bytes != 0 || !device.has_unified_memory) slot.is_one = false;
  }
  return slots;
}

}  // namespace

SlotAllocations allocate_slots(const Program& program, const DeviceInfo& device) {
  const std::vector<Slot> slots = slots_of(program, device);
  SlotAllocations result;
  std::map<std::pair<int, std::int64_t>, int> numbers;  // allocation by slot, and by offset if it is split
  const auto number_of = [&](int slot, std::int64_t offset) {
    const auto [at, is_new] = numbers.try_emplace({slot, offset}, static_cast<int>(result.bytes.size()));
    if (is_new) result.bytes.push_back(0);
    return at->second;
  };
  for (const Program::Tensor& t : program.tensors) {
    if (t.slot < 0 || t.image) {
      result.places.emplace_back();
      continue;
    }
    const Slot& slot = slots[static_cast<std::size_t>(t.slot)];
    const int number = number_of(t.slot, slot.is_one ? 0 : t.offset);
    const std::int64_t own = evaluate(t.elements, {}) * t.stored.type.bytes();
    std::int64_t& bytes = result.bytes[static_cast<std::size_t>(number)];
    bytes = slot.is_one ? slot.bytes : std::max(bytes, own);
    result.places.push_back({number, slot.is_one ? t.offset : 0, slot.is_one && slot.has_parts});
  }
  return result;
}

}  // namespace tensordsl::runtime

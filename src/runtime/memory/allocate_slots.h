// slot 0 of 96 bytes: a at 0, b at 64   ->   allocation 0 of 96 bytes: a at 0, b at 64
// or allocations of a and of b, where the device has no such parts
#pragma once

#include <cstdint>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Allocations that hold the Intermediates that share slots.
struct SlotAllocations {
  struct Place {
    int allocation = -1;  ///< -1: the tensor is not a buffer in a slot
    std::int64_t offset = 0;
    bool is_part = false;  ///< true: other tensors are at other offsets of the allocation
    friend bool operator==(const Place&, const Place&) = default;
  };
  std::vector<std::int64_t> bytes;  ///< size of each allocation
  std::vector<Place> places;        ///< location of each tensor
};

/// Chooses allocations for the slots. A Program may have been compiled for another device. A slot that is
/// larger than the device's largest allocation, or in which a tensor's offset is not a multiple of the
/// device's alignment, becomes several allocations: one for each offset, which tensors of that offset share.
/// So does each slot with offsets on a card with memory of its own, whose drivers are slow with parts.
SlotAllocations allocate_slots(const Program& program, const DeviceInfo& device);

}  // namespace tensordsl::runtime

// Tests the memory that a device allocates for the slots of a Program.
#include "runtime/memory/allocate_slots.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/memory/program_memory.h"
#include "support/fake_device.h"

namespace tensordsl {
namespace {

struct Place {
  int slot;
  std::int64_t offset, bytes;
};

Program program(const std::vector<std::int64_t>& slot_bytes, const std::vector<Place>& places) {
  Program p;
  p.slot_bytes = slot_bytes;
  for (const auto& [slot, offset, bytes] : places) {
    const Program::Storage stored{UInt(8), {static_cast<int>(bytes)}, Layout::row_major(1)};
    p.tensors.push_back({Program::Tensor::Kind::Intermediate, "t", stored, bytes, {}, slot, offset});
  }
  return p;
}

DeviceInfo device(std::int64_t alignment, std::int64_t most_bytes) {
  DeviceInfo info;
  info.buffer_alignment_bytes = alignment;
  info.max_allocation_bytes = most_bytes;
  return info;
}

/// "64: 0:0 part, 0:32 part, none": the allocations' bytes, and where each tensor is.
std::string text(const Program& p, const DeviceInfo& info) {
  const runtime::SlotAllocations slots = runtime::allocate_slots(p, info);
  std::vector<std::string> places;
  for (const auto& place : slots.places) {
    places.push_back(place.allocation < 0 ? "none"
                                          : fmt::format("{}:{}{}", place.allocation, place.offset,
                                                        place.is_part ? " part" : ""));
  }
  return fmt::format("{}: {}", fmt::join(slots.bytes, " "), fmt::join(places, ", "));
}

const Program kOffsets = program({64, 20}, {{0, 0, 32}, {0, 32, 32}, {1, 0, 20}, {-1, 0, 8}, {0, 32, 16}});

}  // namespace

TEST_CASE("slots: each is an allocation; where tensors begin elsewhere than at 0, all are parts of it") {
  CHECK(text(kOffsets, device(16, 0)) == "64 20: 0:0 part, 0:32 part, 1:0, none, 0:32 part");
  CHECK(text(kOffsets, device(32, 64)) == "64 20: 0:0 part, 0:32 part, 1:0, none, 0:32 part");
}

TEST_CASE("slots: one whose offsets the device cannot have is an allocation for each of them") {
  CHECK(text(kOffsets, device(64, 0)) == "32 32 20: 0:0, 1:0, 2:0, none, 1:0");
}

TEST_CASE("slots: on a card with memory of its own there are no parts") {
  DeviceInfo card = device(16, 0);
  card.has_unified_memory = false;
  CHECK(text(kOffsets, card) == "32 32 20: 0:0, 1:0, 2:0, none, 1:0");
}

TEST_CASE("slots: one that is larger than the device's largest allocation is one for each offset too") {
  CHECK(text(kOffsets, device(16, 63)) == "32 32 20: 0:0, 1:0, 2:0, none, 1:0");
}

TEST_CASE("slots: what is written to a part is read from what lies over it, and from nothing else") {
  for (const std::int64_t alignment : {16, 64}) {
    CAPTURE(alignment);
    FakeDevice fake(device(alignment, 0));
    const runtime::RunValues values(kOffsets, {});
    runtime::ProgramMemory memory(kOffsets, fake, values);
    CHECK(memory.of(1).buffer->size_bytes() == 32);
    std::vector<std::byte> ones(32, std::byte{1}), twos(32, std::byte{2}), back(16);
    fake.write(*memory.of(0).buffer, ones, 0);
    fake.write(*memory.of(1).buffer, twos, 0);
    fake.read(*memory.of(0).buffer, back, 0);
    CHECK(back == std::vector<std::byte>(16, std::byte{1}));
    fake.read(*memory.of(4).buffer, back, 0);
    CHECK(back == std::vector<std::byte>(16, std::byte{2}));
  }
}

TEST_CASE("slots: two tensors of the same bytes are one object, which a kernel may read and write") {
  const Program both = program({64}, {{0, 32, 32}, {0, 32, 32}, {0, 0, 32}});
  FakeDevice fake(device(16, 0));
  const runtime::RunValues values(both, {});
  const runtime::ProgramMemory memory(both, fake, values);
  CHECK(memory.of(0).buffer == memory.of(1).buffer);
  CHECK(memory.of(0).buffer != memory.of(2).buffer);
  CHECK(fake.allocated == std::vector<std::size_t>{64});
}

}  // namespace tensordsl

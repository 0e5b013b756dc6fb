// The memories of a simulated kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "simulate/race_detector.h"
#include "tensordsl/type.h"

namespace tensordsl::simulator {

/// The content of a buffer argument, which outlives the kernel.
struct BufferContent {
  std::span<std::byte> bytes;
  std::vector<std::uint8_t>* written = nullptr;  // by element; null if all of them are
};

/// A buffer argument or an allocation, as scalars of `type`.
struct MemoryBlock {
  std::string name;
  ir::Memory space = ir::Memory::Global;
  Type type;
  int lanes = 1;              // of an element; its index counts elements
  std::int64_t elements = 0;  // scalars; of one work-item if the block is private to it
  bool is_image = false;
  bool has_border = false;             // reads outside give 0
  int channels = 1;                    // of an image's texel
  std::vector<std::int64_t> texels{};  // extents of an image's coordinates, outermost first
  bool readable = true, writable = true;
  bool traces_loads = false, traces_stores = false;
  std::vector<std::byte> own_bytes;
  std::vector<std::uint8_t> own_written;
  std::byte* data = nullptr;
  std::uint8_t* written = nullptr;
  RaceDetector races;

  bool is_shared() const { return space == ir::Memory::Global || space == ir::Memory::Local; }
};

}  // namespace tensordsl::simulator

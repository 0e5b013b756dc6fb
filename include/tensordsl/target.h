// What a schedule has to know of the device.
#pragma once

#include <cstdint>
#include <optional>

namespace tensordsl {

struct DeviceInfo;

/// Figures of a device for whoever chooses tile sizes: the schedules that the library comes with, and
/// generators. They follow from a profile; what that does not say is as here.
struct Target {
  /// Floats of one vector operation that the schedules use.
  int vector_width = 4;
  /// Vector accumulators that a work-item can keep in registers beside its operands.
  int accumulators = 8;
  /// Work-items of a group; 1 where a work-group runs on one thread of a CPU.
  int group_items = 64;
  /// Work-items that a group may have where it shares tiles in local memory.
  int most_group_items = 64;
  int compute_units = 8;  ///< that run work-groups side by side
  /// Work-items that run at the same time on the whole device.
  int parallel_items = 1024;
  /// Vector operations that a work-group should have at least, so that starting it does not show.
  int work_per_group = 64;
  /// Of a tensor, what stays near a compute unit from one kernel to the next.
  std::int64_t unit_cache_bytes = 1 << 20;
  std::int64_t local_bytes = 32 << 10;         ///< of local memory, for a work-group
  std::int64_t registers_per_unit = 64 << 10;  ///< 32-bit ones, of all work-items on a compute unit
  bool has_local_memory = false;  ///< that is on chip, or faster than the caches: to share a tile in it pays
  bool is_local_memory_off_chip = false;  ///< it is main memory: work-items do better not to meet there
  bool prefers_images = false;            ///< images are read faster than buffers
  bool has_matrix_units = false;          ///< DeviceInfo::has_matrix_units
  bool has_integer_dot_product = false;   ///< DeviceInfo::has_integer_dot_product
  bool computes_halves = false;           ///< arithmetic of f16 is faster than that of f32, and is there
  /// Whether a scalar times a vector is faster than a product of vectors; nothing if nobody knows.
  std::optional<bool> autobroadcast_pays = std::nullopt;

  /// What follows from what a device says of itself.
  static Target of(const DeviceInfo& device);
  /// The same of this machine's processor, on which Device::open("host") runs kernels. Throws DeviceError
  /// where there is no LLVM that compiles them.
  static Target host();

  friend bool operator==(const Target&, const Target&) = default;
};

}  // namespace tensordsl

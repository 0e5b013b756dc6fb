// Figures of a device that schedules use.
#pragma once

#include <cstdint>
#include <optional>

namespace tensordsl {

struct DeviceInfo;

/// Rates and waits of one compute unit, in its clocks: what the schedules weigh tiles by. They follow from a
/// profile; a profile that gives no clock leaves the defaults, and so does a figure that is missing. The
/// defaults here are those of the bundled profile nvidia_h100. The defaults of a unit that runs a work-group
/// on a thread are those of pocl_cpu_avx512 (schedules/support/unit_rates.h).
struct UnitRates {
  double multiply_adds = 128;          ///< f32 multiply-adds of a clock
  double matrix_multiply_adds = 1233;  ///< f16 multiply-adds of the matrix units of a clock
  int warp_items = 32;                 ///< work-items that run in step
  int most_items = 2048;               ///< most work-items that reside on the unit
  int most_groups = 32;                ///< most work-groups that reside on the unit
  double memory_wait = 462;            ///< clocks until a read that no cache holds arrives
  double local_wait = 27.7;            ///< clocks until a read of local memory arrives
  double barrier_wait = 27.6;          ///< clocks of a barrier
  double local_bytes = 128;            ///< bytes that local memory reads or writes in a clock
  /// Bytes of a clock from the caches of the unit: the first of a GPU, the second of a CPU.
  double cache_bytes = 127.6;
  double shared_bytes = 31.9;  ///< share of the unit of the cache after these, bytes of a clock
  double memory_bytes = 12.2;  ///< share of the unit of the memory, bytes of a clock

  friend bool operator==(const UnitRates&, const UnitRates&) = default;
};

/// Figures of a device for the choice of tile sizes: by the schedules that the library comes with, and by
/// generators. They follow from a profile; figures that it lacks have the defaults below.
struct Target {
  /// Vector width that the schedules use, in floats.
  int vector_width = 4;
  /// Vector accumulators that a work-item can keep in registers in addition to its operands.
  int accumulators = 8;
  /// Work-items of a group; 1 where a work-group runs on one thread of a CPU.
  int group_items = 64;
  /// Most work-items of a group that shares tiles in local memory.
  int most_group_items = 64;
  int compute_units = 8;  ///< units that run work-groups in parallel
  /// Work-items that run at the same time on the whole device.
  int parallel_items = 1024;
  /// Least number of vector operations of a work-group that hides the cost of starting it.
  int work_per_group = 64;
  /// Bytes of a tensor that stay in a compute unit's cache from one kernel to the next.
  std::int64_t unit_cache_bytes = 1 << 20;
  std::int64_t local_bytes = 32 << 10;         ///< local memory of a work-group
  std::int64_t registers_per_unit = 64 << 10;  ///< 32-bit registers of all work-items on a compute unit
  bool has_local_memory = false;  ///< true: local memory is on chip, or faster than the caches: sharing tiles
                                  ///< in it pays
  bool is_local_memory_off_chip = false;  ///< true: local memory is main memory: work-items should not share
                                          ///< tiles in it
  bool prefers_images = false;            ///< true: images are read faster than buffers
  bool has_matrix_units = false;          ///< DeviceInfo::has_matrix_units
  bool has_integer_dot_product = false;   ///< DeviceInfo::has_integer_dot_product
  bool computes_halves = false;           ///< true: the device has f16 arithmetic and it is faster than f32's
  /// Registers beyond which a loop is kept from being unrolled by the device's compiler: more of them leave
  /// fewer than half of the most work-items. 0: loops stay as they are.
  int loop_registers = 0;
  /// True if that compiler gathers the reads of straight-line code; else it holds their addresses only.
  bool gathers_reads = false;
  /// True if a scalar times a vector is faster than a product of vectors; nullopt if that is not known.
  std::optional<bool> autobroadcast_pays = std::nullopt;
  UnitRates unit;  ///< rates and waits of a compute unit

  /// Returns the figures that follow from the properties that a device reports.
  static Target of(const DeviceInfo& device);
  /// Returns the figures of this machine's processor, on which Device::open("host") runs kernels. Throws
  /// DeviceError if there is no LLVM that compiles them.
  static Target host();

  friend bool operator==(const Target&, const Target&) = default;
};

}  // namespace tensordsl

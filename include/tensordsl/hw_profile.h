// What a device is made of, as measured: the data that pruning and tuning go by.
// Source: Romou (MobiCom 2022), section 3, figure 9.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tensordsl {

/// A measured number with the interval that it is in.
struct Measurement {
  double value = 0;
  double low = 0, high = 0;  ///< where it may be, at 95 %; both are the value if the source tells no interval
  bool confident = false;    ///< what does not hold this is a guess

  static Measurement exact(double value) { return {value, value, value, true}; }

  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// A measured yes or no.
struct BoolMeasurement {
  bool value = false;
  bool confident = false;

  friend bool operator==(const BoolMeasurement&, const BoolMeasurement&) = default;
};

/// One level of a cache hierarchy, the smallest first.
struct CacheLevel {
  std::optional<Measurement> bytes;  ///< that stay in it, read by one compute unit
  std::optional<Measurement> line_bytes;
  std::optional<Measurement> latency_ns;     ///< of one of a chain of dependent reads
  std::optional<Measurement> bandwidth_gbs;  ///< of all compute units together, GB/s

  friend bool operator==(const CacheLevel&, const CacheLevel&) = default;
};

/// Every figure may be unknown: not measured, not seen, or not told by the source.
struct HwProfile {
  std::string device;  ///< the name that OpenCL gives it
  std::string driver;
  std::vector<std::string> sources;  ///< where the figures come from

  struct Registers {
    std::optional<Measurement> per_item;  ///< 32-bit ones that a work-item may use before it spills to memory
    std::optional<Measurement> pool;      ///< 32-bit ones of a compute unit
    std::optional<BoolMeasurement>
        shared;  ///< work-items with fewer registers leave room for more work-items
    friend bool operator==(const Registers&, const Registers&) = default;
  } registers;

  std::optional<Measurement> warp_size;      ///< work-items that run in step
  std::optional<Measurement> compute_units;  ///< that run work-groups side by side
  std::optional<Measurement> alus_per_unit;  ///< f32 multiply-adds that a compute unit starts in a clock
  std::optional<Measurement>
      concurrent_groups;  ///< work-groups of one warp that run side by side on the whole device

  struct FmaRates {
    std::optional<Measurement> f32, f16;  ///< GFLOPS, a multiply-add counts two
    friend bool operator==(const FmaRates&, const FmaRates&) = default;
  } fma_gflops;
  struct IntegerRates {
    std::optional<Measurement> i32,
        i8_dot;  ///< G operations a second: a multiply-add counts two, a dot product of four eight
    friend bool operator==(const IntegerRates&, const IntegerRates&) = default;
  } integer_gops;
  struct IntegerCosts {
    std::optional<Measurement> divide, modulo;  ///< by a divisor that is not constant, in i32 multiply-adds
    friend bool operator==(const IntegerCosts&, const IntegerCosts&) = default;
  } integer_cost;

  std::vector<CacheLevel> buffer_caches, image_caches;

  struct LocalMemory {
    std::optional<Measurement> bytes;  ///< for a work-group
    std::optional<BoolMeasurement> on_chip;
    std::optional<Measurement> bandwidth_gbs, latency_ns;
    friend bool operator==(const LocalMemory&, const LocalMemory&) = default;
  } local_memory;
  struct ConstantMemory {
    std::optional<Measurement> bytes;          ///< for a buffer
    std::optional<Measurement> cached_bytes;   ///< that are read fast
    std::optional<Measurement> bandwidth_gbs;  ///< all work-items read the same element
    friend bool operator==(const ConstantMemory&, const ConstantMemory&) = default;
  } constant_memory;

  std::optional<Measurement> dram_gbs;  ///< reads, GB/s
  std::optional<Measurement> dram_write_gbs;
  std::optional<Measurement> copy_gbs;  ///< bytes read and bytes written, GB/s
  std::optional<Measurement> dram_latency_ns;
  std::optional<Measurement> image_gbs;  ///< texels of an image that no cache holds, GB/s

  std::optional<Measurement> launch_us;            ///< back to back, each kernel
  std::optional<Measurement> launch_enqueue_us;    ///< of the host, to hand one over
  std::optional<Measurement> launch_completed_us;  ///< enqueued, run and waited for
  std::optional<Measurement> event_resolution_ns;
  std::optional<Measurement> host_to_device_gbs, device_to_host_gbs;
  std::optional<Measurement> barrier_ns;  ///< of a full work-group

  struct VectorWidth {
    std::optional<Measurement> buffer, image;  ///< f32 elements of one access that reads fastest
    friend bool operator==(const VectorWidth&, const VectorWidth&) = default;
  } vector_width;
  std::optional<BoolMeasurement>
      autobroadcast_pays;  ///< scalar*vector is faster than vector*vector of a widened scalar
  std::optional<Measurement> autobroadcast_speedup;  ///< of that, as a ratio
  std::optional<BoolMeasurement>
      image_rows_first;  ///< reading an image along its rows is faster than along its columns
  std::optional<Measurement> half_storage_speedup;  ///< of reading f16 over f32, the same number of elements
  std::vector<int> sub_group_sizes;                 ///< that kernels may ask for

  /// Whether a unit has many work-items at a time, as GPUs do: they run in step, or share its registers.
  bool has_many_items() const { return (warp_size && warp_size->value > 1) || registers.pool; }
  /// Whether arithmetic in f16 is known to be faster than in f32: ALUs for pairs of halves, or for wider
  /// vectors of them, reach twice the rate.
  bool computes_halves_faster() const {
    constexpr double kFaster = 1.5;
    return fma_gflops.f32 && fma_gflops.f16 && fma_gflops.f16->value > kFaster * fma_gflops.f32->value;
  }

  friend bool operator==(const HwProfile&, const HwProfile&) = default;
};

/// JSON of version 1; hwprofile/schema.json describes it. A figure that is not known is null.
std::string to_json(const HwProfile& profile);
/// Throws ParseError on text that is no profile, names an unknown field, or is of a newer version.
HwProfile hw_profile_from_json(const std::string& text);
/// The profile that comes with the library for a device that OpenCL gives this name, if there is one: whose
/// own device is part of that name.
std::optional<HwProfile> bundled_hw_profile(const std::string& device_name);
/// One of the profiles that come with the library ("adreno640"), or a file that `tensordsl profile` wrote.
/// Throws Error if there is neither, and ParseError.
HwProfile load_hw_profile(const std::string& name);

}  // namespace tensordsl

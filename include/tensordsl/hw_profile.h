// What a device is made of, as measured: the data that pruning and tuning go by.
// Source: Romou (MobiCom 2022), section 3, figure 9.
//
// docs/PROFILING.md says what each figure decides.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tensordsl {

/// A measured number with the interval that it is in.
struct Measurement {
  double value = 0;  ///< in the unit of the figure
  /// The least that it may be, at 95 %.
  double low = 0, high = 0;  ///< the most; both are the value if the source tells no interval
  bool confident = false;    ///< what does not hold this is a guess

  /// A figure that is known: an interval without width, and no guess.
  static Measurement exact(double value) { return {value, value, value, true}; }

  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// A measured yes or no.
struct BoolMeasurement {
  bool value = false;      ///< the finding
  bool confident = false;  ///< as of a Measurement: false for a guess

  friend bool operator==(const BoolMeasurement&, const BoolMeasurement&) = default;
};

/// One level of a cache hierarchy, the smallest first.
struct CacheLevel {
  std::optional<Measurement> bytes;          ///< that stay in it, read by one compute unit
  std::optional<Measurement> line_bytes;     ///< of a line; probes find that of the first level of each kind.
                                             ///< That of buffers decides, the others are shown alone
  std::optional<Measurement> latency_ns;     ///< of one of a chain of dependent reads; shown alone
  std::optional<Measurement> bandwidth_gbs;  ///< of all compute units together, GB/s

  friend bool operator==(const CacheLevel&, const CacheLevel&) = default;
};

/// Every figure may be unknown: not measured, not seen, or not told by the source.
/// docs/PROFILING.md has what each of them decides. A figure that is said here to be "shown alone" decides
/// nothing yet: it is printed, drawn and compared.
struct HwProfile {
  std::string device;                ///< the name that OpenCL gives it
  std::string driver;                ///< its version, as OpenCL gives it; empty if the source does not tell
  std::vector<std::string> sources;  ///< where the figures come from

  /// The registers of a compute unit, and those of its work-items.
  struct Registers {
    std::optional<Measurement> per_item;  ///< 32-bit ones that a work-item may use before it spills to memory
    std::optional<Measurement> pool;      ///< 32-bit ones of a compute unit
    std::optional<BoolMeasurement>
        shared;  ///< work-items with fewer registers leave room for more work-items; shown alone
    friend bool operator==(const Registers&, const Registers&) = default;
  } registers;  ///< not measured on CPUs, whose work-items have them in turns

  std::optional<Measurement> warp_size;      ///< work-items that run in step
  std::optional<Measurement> compute_units;  ///< that run work-groups side by side
  std::optional<Measurement> alus_per_unit;  ///< f32 multiply-adds that a compute unit starts in a clock
  std::optional<Measurement>
      concurrent_groups;  ///< work-groups of one warp that run side by side on the whole device

  /// The highest rates of multiply-adds in registers, on all compute units together.
  struct FmaRates {
    /// GFLOPS of f32, a multiply-add counts two
    std::optional<Measurement> f32, f16;  ///< the same of f16; not known of a device without cl_khr_fp16
    friend bool operator==(const FmaRates&, const FmaRates&) = default;
  } fma_gflops;  ///< GFLOPS
  /// The highest rates of integer arithmetic in registers, on all compute units together. Shown alone.
  struct IntegerRates {
    /// Of 32-bit multiply-adds, and of dot products of four 8-bit integers, added up in 32 bits.
    std::optional<Measurement> i32,
        i8_dot;  ///< G operations a second: a multiply-add counts two, a dot product of four eight
    friend bool operator==(const IntegerRates&, const IntegerRates&) = default;
  } integer_gops;  ///< 10^9 operations a second
  /// Cost of a division where the divisor is not constant. Shown alone.
  struct IntegerCosts {
    /// A division of i32, as so many multiply-adds of i32.
    std::optional<Measurement> divide, modulo;  ///< a remainder, in the same unit
    friend bool operator==(const IntegerCosts&, const IntegerCosts&) = default;
  } integer_cost;  ///< in multiply-adds of i32

  /// Behind reads of buffers; empty: none was seen.
  std::vector<CacheLevel> buffer_caches, image_caches;  ///< behind reads of images; empty: none was seen

  /// OpenCL's local memory, which the work-items of a group share.
  struct LocalMemory {
    std::optional<Measurement> bytes;        ///< for a work-group
    std::optional<BoolMeasurement> on_chip;  ///< memory of its own; false: it is read like a buffer
    /// Of all compute units together, GB/s.
    std::optional<Measurement> bandwidth_gbs, latency_ns;  ///< of one of a chain of dependent reads
    friend bool operator==(const LocalMemory&, const LocalMemory&) = default;
  } local_memory;  ///< what a work-group shares
  /// OpenCL's constant address space. Shown alone: an Input goes there if it has at most 2048 bytes, whatever
  /// the device, and as much room as its driver says.
  struct ConstantMemory {
    std::optional<Measurement> bytes;          ///< for a buffer
    std::optional<Measurement> cached_bytes;   ///< that are read fast
    std::optional<Measurement> bandwidth_gbs;  ///< all work-items read the same element
    friend bool operator==(const ConstantMemory&, const ConstantMemory&) = default;
  } constant_memory;  ///< what all work-items read

  std::optional<Measurement> dram_gbs;         ///< reads, GB/s
  std::optional<Measurement> dram_write_gbs;   ///< writes, GB/s; shown alone
  std::optional<Measurement> copy_gbs;         ///< bytes read and bytes written, GB/s; shown alone
  std::optional<Measurement> dram_latency_ns;  ///< of one of a chain of dependent reads that no cache holds
  std::optional<Measurement> image_gbs;        ///< texels of an image that no cache holds, GB/s

  std::optional<Measurement> launch_us;            ///< back to back, each kernel
  std::optional<Measurement> launch_enqueue_us;    ///< of the host, to hand one over; shown alone
  std::optional<Measurement> launch_completed_us;  ///< enqueued, run and waited for; shown alone
  std::optional<Measurement> event_resolution_ns;  ///< the step of the clock that times launches; shown alone
  /// Copies from the host's memory into a buffer, GB/s; shown alone, as those back.
  std::optional<Measurement> host_to_device_gbs, device_to_host_gbs;  ///< copies from a buffer to the host
  std::optional<Measurement> barrier_ns;                              ///< of a full work-group

  /// How wide one access of a work-item is best.
  struct VectorWidth {
    /// f32 elements of one access to a buffer that reads fastest
    std::optional<Measurement> buffer, image;  ///< the same of an image: 1 or 4, those of a texel
    friend bool operator==(const VectorWidth&, const VectorWidth&) = default;
  } vector_width;  ///< in elements of f32
  std::optional<BoolMeasurement>
      autobroadcast_pays;  ///< scalar*vector is faster than vector*vector of a widened scalar
  std::optional<Measurement> autobroadcast_speedup;  ///< of that, as a ratio
  std::optional<BoolMeasurement>
      image_rows_first;  ///< reading an image along its rows is faster than along its columns; shown alone
  /// Speed of reading f16 over that of f32, for the same number of elements; shown alone.
  std::optional<Measurement> half_storage_speedup;
  std::vector<int> sub_group_sizes;  ///< that kernels may ask for; shown alone: the driver's list decides

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

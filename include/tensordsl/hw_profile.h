// Measured properties of a device: the data that pruning and tuning use. Source: Romou (MobiCom 2022),
// section 3, figure 9.
//
// docs/PROFILING.md says what each figure decides.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tensordsl {

/// A measured number with its confidence interval.
struct Measurement {
  double value = 0;  ///< value in the unit of the figure
  /// Lower bound of the 95 % confidence interval.
  double low = 0, high = 0;  ///< upper bound; both bounds equal the value if the source gives no interval
  bool confident = false;    ///< false: the value is a guess

  /// Returns a figure that is known: an interval without width, not a guess.
  static Measurement exact(double value) { return {value, value, value, true}; }

  friend bool operator==(const Measurement&, const Measurement&) = default;
};

/// A measured yes or no.
struct BoolMeasurement {
  bool value = false;      ///< the finding
  bool confident = false;  ///< false: the finding is a guess

  friend bool operator==(const BoolMeasurement&, const BoolMeasurement&) = default;
};

/// One level of a cache hierarchy. Levels are listed from the smallest on.
struct CacheLevel {
  std::optional<Measurement> bytes;          ///< capacity, for reads by one compute unit
  std::optional<Measurement> line_bytes;     ///< size of a line; probes find it for the first level of each
                                             ///< kind. The line size of the buffers' cache decides, the
                                             ///< others are informational
  std::optional<Measurement> latency_ns;     ///< latency of one read of a dependent chain; informational
  std::optional<Measurement> bandwidth_gbs;  ///< bandwidth of all compute units together, GB/s

  friend bool operator==(const CacheLevel&, const CacheLevel&) = default;
};

/// A step of a compute unit's occupancy: how many work-items reside on it if each has `registers` registers
/// or fewer, but more than at the step before.
struct OccupancyStep {
  int registers = 0;  ///< 32-bit registers of a work-item, at most
  int items = 0;      ///< work-items that a compute unit holds at a time

  friend bool operator==(const OccupancyStep&, const OccupancyStep&) = default;
};

/// Measured properties of a device. A figure is empty if it was not measured, not found, or not given by the
/// source. docs/PROFILING.md says what each of them decides. An "informational" figure decides nothing yet:
/// it is printed, drawn and compared.
struct HwProfile {
  std::string device;                ///< CL_DEVICE_NAME
  std::string driver;                ///< CL_DRIVER_VERSION; empty if the source does not give it
  std::vector<std::string> sources;  ///< origins of the figures

  /// Registers of a compute unit and of its work-items.
  struct Registers {
    std::optional<Measurement> per_item;  ///< 32-bit registers that a work-item may use before it spills
    std::optional<Measurement> pool;      ///< 32-bit registers of a compute unit
    std::optional<BoolMeasurement>
        shared;  ///< true: work-items with fewer registers leave room for more work-items
    /// Occupancy by the registers of a work-item: registers ascend and work-items descend. Empty: not known,
    /// and the pool decides.
    std::vector<OccupancyStep> occupancy;
    friend bool operator==(const Registers&, const Registers&) = default;
  } registers;  ///< registers of a unit; not measured on CPUs, whose work-items take turns in using them

  std::optional<Measurement> warp_size;      ///< work-items that run in lockstep
  std::optional<Measurement> compute_units;  ///< units that run work-groups in parallel
  std::optional<Measurement> alus_per_unit;  ///< f32 multiply-adds that a compute unit starts in a clock
  std::optional<Measurement>
      concurrent_groups;  ///< work-groups of one warp that run in parallel on the whole device

  /// Peak rates of multiply-adds in registers, on all compute units together.
  struct FmaRates {
    /// GFLOPS of f32; a multiply-add counts as two.
    std::optional<Measurement> f32, f16;  ///< GFLOPS of f16; not known for a device without cl_khr_fp16
    friend bool operator==(const FmaRates&, const FmaRates&) = default;
  } fma_gflops;  ///< GFLOPS
  /// GFLOPS of the matrix units (tensor cores), on all compute units together: products of f16 with sums of
  /// f32, by the instructions of one sub-group. A multiply-add counts as two.
  std::optional<Measurement> matrix_gflops;
  /// Peak rates of integer arithmetic in registers, on all compute units together. Informational.
  struct IntegerRates {
    /// Rate of 32-bit multiply-adds; a multiply-add counts as two.
    std::optional<Measurement> i32,
        i8_dot;  ///< rate of dot products of four 8-bit integers, added up in 32 bits; one counts as eight
    friend bool operator==(const IntegerRates&, const IntegerRates&) = default;
  } integer_gops;  ///< 10^9 operations a second
  /// Cost of a division by a divisor that is not constant. Informational.
  struct IntegerCosts {
    /// Cost of an i32 division, in multiply-adds of i32.
    std::optional<Measurement> divide, modulo;  ///< cost of a remainder, in the same unit
    friend bool operator==(const IntegerCosts&, const IntegerCosts&) = default;
  } integer_cost;  ///< costs in multiply-adds of i32

  /// Caches of reads of buffers; empty: none was found.
  std::vector<CacheLevel> buffer_caches, image_caches;  ///< caches of reads of images; empty: none was found

  /// OpenCL's local memory, shared by the work-items of a group.
  struct LocalMemory {
    std::optional<Measurement> bytes;        ///< size for a work-group
    std::optional<BoolMeasurement> on_chip;  ///< true: dedicated memory; false: it is as slow as a buffer
    /// Bandwidth of all compute units together, in GB/s.
    std::optional<Measurement> bandwidth_gbs, latency_ns;  ///< latency of one read of a dependent chain
    friend bool operator==(const LocalMemory&, const LocalMemory&) = default;
  } local_memory;  ///< memory shared by a work-group
  /// OpenCL's constant address space. Informational: an Input is put there if it has at most 2048 bytes and
  /// fits the size that the driver reports, on every device.
  struct ConstantMemory {
    std::optional<Measurement> bytes;          ///< largest buffer
    std::optional<Measurement> cached_bytes;   ///< bytes that are read at cache speed
    std::optional<Measurement> bandwidth_gbs;  ///< bandwidth if all work-items read the same element
    friend bool operator==(const ConstantMemory&, const ConstantMemory&) = default;
  } constant_memory;  ///< memory read by all work-items

  std::optional<Measurement> dram_gbs;         ///< bandwidth of reads, GB/s
  std::optional<Measurement> dram_write_gbs;   ///< bandwidth of writes, GB/s; informational
  std::optional<Measurement> copy_gbs;         ///< bytes read and bytes written, GB/s; informational
  std::optional<Measurement> dram_latency_ns;  ///< latency of one read of a dependent chain that no cache
                                               ///< holds
  std::optional<Measurement> image_gbs;        ///< bandwidth of texels of an image that no cache holds, GB/s

  std::optional<Measurement> launch_us;            ///< time of each kernel launched back to back
  std::optional<Measurement> launch_enqueue_us;    ///< host time to enqueue one kernel; informational
  std::optional<Measurement> launch_completed_us;  ///< time to enqueue a kernel, run it and wait for it;
                                                   ///< informational
  std::optional<Measurement> event_resolution_ns;  ///< resolution of the clock that times launches;
                                                   ///< informational
  /// Bandwidth of copies from the host's memory into a buffer, GB/s; informational.
  std::optional<Measurement> host_to_device_gbs, device_to_host_gbs;  ///< bandwidth of copies from a buffer
                                                                      ///< to the host, GB/s; informational
  std::optional<Measurement> barrier_ns;  ///< cost of a barrier of a full work-group

  /// Fastest width of one access of a work-item.
  struct VectorWidth {
    /// f32 elements of the fastest access to a buffer.
    std::optional<Measurement> buffer, image;  ///< f32 elements of the fastest access to an image: 1 or 4, a
                                               ///< texel's
    friend bool operator==(const VectorWidth&, const VectorWidth&) = default;
  } vector_width;  ///< widths in elements of f32
  std::optional<BoolMeasurement>
      autobroadcast_pays;  ///< true: scalar*vector is faster than vector*vector of a widened scalar
  std::optional<Measurement> autobroadcast_speedup;  ///< ratio of the two speeds
  std::optional<BoolMeasurement>
      unrolls_loops;  ///< true: the device's compiler unrolls short loops of constant trip counts, which
                      ///< takes registers
  std::optional<Measurement> instruction_cache;  ///< instructions that a unit's instruction cache holds
  std::optional<BoolMeasurement>
      image_rows_first;  ///< true: reading an image along its rows is faster than along its columns;
                         ///< informational
  /// Speed of reading f16 relative to f32, for the same number of elements; informational.
  std::optional<Measurement> half_storage_speedup;
  std::vector<int> sub_group_sizes;  ///< sizes that kernels may ask for; informational: the driver's list
                                     ///< decides

  /// True if a unit runs many work-items at a time, as GPUs do: they run in lockstep, or share its registers.
  bool has_many_items() const { return (warp_size && warp_size->value > 1) || registers.pool; }
  /// Returns the most registers with which at least half of the most work-items reside on a unit; 0 if the
  /// occupancy is not known.
  int half_occupancy_registers() const {
    int most = 0;
    for (const OccupancyStep& step : registers.occupancy) {
      if (2 * step.items >= registers.occupancy.front().items) most = step.registers;
    }
    return most;
  }
  /// True if the device's compiler gathers the reads of straight-line code, and of loops that it unrolls:
  /// more registers then leave fewer work-items. Where each work-item has registers of its own, compilers
  /// order instructions for few of them.
  bool gathers_reads() const {
    return unrolls_loops && unrolls_loops->value && (!registers.shared || registers.shared->value);
  }
  /// True if arithmetic in f16 is known to be faster than in f32: ALUs for pairs of halves, or for wider
  /// vectors of them, reach twice the rate.
  bool computes_halves_faster() const {
    constexpr double kFaster = 1.5;
    return fma_gflops.f32 && fma_gflops.f16 && fma_gflops.f16->value > kFaster * fma_gflops.f32->value;
  }

  friend bool operator==(const HwProfile&, const HwProfile&) = default;
};

/// Returns JSON of version 1; hwprofile/schema.json describes it. An unknown figure is null.
std::string to_json(const HwProfile& profile);
/// Reads to_json()'s text. Throws ParseError if it is not a profile, names an unknown field, or is of a newer
/// version.
HwProfile hw_profile_from_json(const std::string& text);
/// Returns the bundled profile whose `device` is a substring of `device_name`, the CL_DEVICE_NAME; empty if
/// there is none.
std::optional<HwProfile> bundled_hw_profile(const std::string& device_name);
/// Loads a bundled profile by its name ("adreno640"), or a file that `tensordsl profile` wrote. Throws Error
/// if there is neither, and ParseError.
HwProfile load_hw_profile(const std::string& name);

}  // namespace tensordsl

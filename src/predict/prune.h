// Kernels that use too much of a device, or too little, to be fast: left out before anything is timed.
// Source: Romou (MobiCom 2022), section 4.2, Table 1; the text beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "predict/kernel_usage.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::predict {

/// A reason to leave a kernel out. Figures that the profile does not have leave out nothing.
enum class Criterion : std::uint8_t {
  Cache,        ///< an iteration of the work-group reads more than the unit's first cache holds
  Registers,    ///< the work-group's registers are more than a unit has
  Spills,       ///< a work-item's registers are more than it may have
  Buffers,      ///< reads buffers, and only images have a cache near the unit
  LocalMemory,  ///< shares tiles in local memory that is not on chip, or has more work-items than `alpha`
                ///< for each ALU of a unit, so that they need not share work
  Warp,         ///< fewer work-items in a group than run in step
  AccessWidth,  ///< reads vectors narrower than the fastest ones
  Text,         ///< its text is longer than the instruction cache
};

inline constexpr std::array kCriteria{Criterion::Cache,       Criterion::Registers,   Criterion::Spills,
                                      Criterion::Buffers,     Criterion::LocalMemory, Criterion::Warp,
                                      Criterion::AccessWidth, Criterion::Text};

/// Returns the criterion's name: "cache", "registers", ..
std::string_view name_of(Criterion criterion);

/// Criteria that are in use, indexed by Criterion: all, unless switched off.
struct PruningOptions {
  std::array<bool, kCriteria.size()> is_on{true, true, true, true, true, true, true, true};
  double alpha = 3;

  bool counts(Criterion criterion) const { return is_on[static_cast<std::size_t>(criterion)]; }
  PruningOptions& switch_off(Criterion criterion);
};

/// Number of kernels pruned by each criterion: a kernel counts at the first that it breaks.
struct PruningCounts {
  std::int64_t seen = 0, kept = 0;
  std::array<std::int64_t, kCriteria.size()> left_out{};

  PruningCounts& operator+=(const PruningCounts& other);
};

/// Figures that criteria compare with; 0 where the profile does not have them.
struct PruningLimits {
  double buffer_cache_bytes = 0, image_cache_bytes = 0;
  double registers_per_unit = 0, registers_per_item = 0;
  double instructions = 0;
  std::vector<OccupancyStep> occupancy;  ///< empty where the profile does not have it
  double alus = 0;
  int warp = 0;
  int buffer_width = 0, image_width = 0;
  bool only_images_cached = false;
  bool local_off_chip = false;
};

PruningLimits limits_of(const HwProfile& profile);

/// Tells whether a configuration is kept; if not, the first criterion that it breaks.
struct Verdict {
  bool is_kept = true;
  Criterion broken = Criterion::Cache;
};
Verdict judge(const KernelUsage& usage, const PruningLimits& limits, const PruningOptions& options = {});
/// Returns the reason of a verdict: "an iteration reads 4,096 bytes, the cache has 1,024".
std::string explain(const Verdict& verdict, const KernelUsage& usage, const PruningLimits& limits);

/// Applies judge() and counts the verdict for `alike` equal configurations.
bool keeps(const KernelUsage& usage, const PruningLimits& limits, const PruningOptions& options,
           PruningCounts& counts, std::int64_t alike = 1);

}  // namespace tensordsl::predict

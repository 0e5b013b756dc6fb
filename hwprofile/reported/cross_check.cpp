#include "hwprofile/reported/cross_check.h"

#include <fmt/format.h>

namespace tensordsl::hwprofile {

std::vector<std::string> cross_checks(const HwProfile& profile, const DeviceInfo& info) {
  std::vector<std::string> lines;
  if (profile.compute_units && profile.alus_per_unit && profile.fma_gflops.f32 && info.clock_mhz > 0) {
    const double expected =
        profile.compute_units->value * profile.alus_per_unit->value * info.clock_mhz * 2e-3;
    lines.push_back(fmt::format(
        "{:.0f} units x {:.0f} ALUs x {} MHz x 2 = {:.0f} GFLOPS; the measured peak is {:.0f} % of that",
        profile.compute_units->value, profile.alus_per_unit->value, info.clock_mhz, expected,
        100 * profile.fma_gflops.f32->value / expected));
  }
  if (profile.compute_units && profile.compute_units->value != info.compute_units) {
    lines.push_back(fmt::format("measured {:.0f} compute units, but the driver reports {}",
                                profile.compute_units->value, info.compute_units));
  }
  if (profile.dram_gbs && profile.copy_gbs && profile.copy_gbs->value > 0) {
    lines.push_back(fmt::format("a copy moves {:.0f} % of the bytes per second of a read",
                                100 * profile.copy_gbs->value / profile.dram_gbs->value));
    if (profile.copy_gbs->value > profile.dram_gbs->value)
      lines.emplace_back(
          "a copy is faster than a read, although it reads the same bytes: the measurement of reads was "
          "disturbed");
  }
  return lines;
}

}  // namespace tensordsl::hwprofile

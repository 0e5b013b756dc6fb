// What a driver tells, and the checks of figures against each other.
#include <doctest/doctest.h>

#include "hwprofile/probes/cross_check.h"
#include "hwprofile/probes/told_figures.h"
#include "support/some_device.h"

namespace tensordsl::hwprofile {

TEST_CASE("told_figures: what a driver says is exact, and what it does not say is not known") {
  DeviceInfo info = some_device();
  info.compute_units = 7;
  HwProfile told = told_figures(info);
  CHECK(told.compute_units == Figure::exact(7));
  CHECK(told.local_memory.bytes == Figure::exact(48 * 1024));
  CHECK(told.local_memory.on_chip == Finding{false, true});
  CHECK_FALSE(told.warp_size.has_value());
  CHECK_FALSE(told.event_resolution_ns.has_value());
  CHECK(told.buffer_caches.empty());
  info.preferred_group_multiple = 32;
  info.global_cache_bytes = 1 << 20;
  info.local_memory_on_chip = true;
  told = told_figures(info);
  CHECK(told.warp_size == Figure::exact(32));
  CHECK(told.local_memory.on_chip == Finding{true, true});
  REQUIRE(told.buffer_caches.size() == 1);
  CHECK(told.buffer_caches[0].bytes == Figure::exact(1 << 20));
  CHECK_FALSE(told.buffer_caches[0].line_bytes.has_value());
}

TEST_CASE("cross_checks: ALUs times clock against the peak, and only what is known") {
  DeviceInfo info = some_device();
  info.compute_units = 2;
  info.clock_mhz = 585;
  HwProfile profile;
  CHECK(cross_checks(profile, info).empty());
  profile.compute_units = Figure::exact(2);
  profile.alus_per_unit = Figure::exact(384);
  profile.fma_gflops.f32 = Figure::exact(890);
  profile.dram_gbs = Figure::exact(28);
  profile.copy_gbs = Figure::exact(21);
  CHECK(cross_checks(profile, info) == std::vector<std::string>{"2 units x 384 ALUs x 585 MHz x 2 = 899 GFLOPS; the peak that was measured is 99 % of that",
                                                                "a copy moves 75 % of the bytes a second that reads move"});
  info.clock_mhz = 0;
  info.compute_units = 4;
  profile.copy_gbs.reset();
  CHECK(cross_checks(profile, info) == std::vector<std::string>{"2 compute units were seen, the driver tells of 4"});
}

}  // namespace tensordsl::hwprofile

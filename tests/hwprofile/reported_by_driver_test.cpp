// Tests the figures that a driver reports, and the checks of figures against each other.
#include <doctest/doctest.h>

#include "hwprofile/reported/cross_check.h"
#include "hwprofile/reported/reported_by_driver.h"
#include "support/some_device.h"

namespace tensordsl::hwprofile {

TEST_CASE("reported_by_driver: what a driver says is exact, and what it does not say is not known") {
  DeviceInfo info = some_device();
  info.compute_units = 7;
  HwProfile reported = reported_by_driver(info);
  CHECK(reported.compute_units == Measurement::exact(7));
  CHECK(reported.local_memory.bytes == Measurement::exact(48 * 1024));
  CHECK(reported.local_memory.on_chip == BoolMeasurement{false, true});
  CHECK_FALSE(reported.warp_size.has_value());
  CHECK_FALSE(reported.event_resolution_ns.has_value());
  CHECK(reported.buffer_caches.empty());
  CHECK_FALSE(reported.registers.pool.has_value());
  info.preferred_group_multiple = 32;
  info.global_cache_bytes = 1 << 20;
  info.registers_per_group = 65536;
  info.local_memory_on_chip = true;
  reported = reported_by_driver(info);
  CHECK(reported.warp_size == Measurement::exact(32));
  CHECK(reported.registers.pool == Measurement::exact(65536));
  CHECK(reported.local_memory.on_chip == BoolMeasurement{true, true});
  REQUIRE(reported.buffer_caches.size() == 1);
  CHECK(reported.buffer_caches[0].bytes == Measurement::exact(1 << 20));
  CHECK_FALSE(reported.buffer_caches[0].line_bytes.has_value());
}

TEST_CASE("cross_checks: ALUs times clock against the peak, and only what is known") {
  DeviceInfo info = some_device();
  info.compute_units = 2;
  info.clock_mhz = 585;
  HwProfile profile;
  CHECK(cross_checks(profile, info).empty());
  profile.compute_units = Measurement::exact(2);
  profile.alus_per_unit = Measurement::exact(384);
  profile.fma_gflops.f32 = Measurement::exact(890);
  profile.dram_gbs = Measurement::exact(28);
  profile.copy_gbs = Measurement::exact(21);
  CHECK(cross_checks(profile, info) ==
        std::vector<std::string>{
            "2 units x 384 ALUs x 585 MHz x 2 = 899 GFLOPS; the measured peak is 99 % of that",
            "a copy moves 75 % of the bytes per second of a read"});
  info.clock_mhz = 0;
  info.compute_units = 4;
  profile.copy_gbs.reset();
  CHECK(cross_checks(profile, info) ==
        std::vector<std::string>{"measured 2 compute units, but the driver reports 4"});
}

}  // namespace tensordsl::hwprofile

// Tests how the figures of two passes are combined.
#include "hwprofile/analysis/agree.h"

#include <doctest/doctest.h>

namespace tensordsl::hwprofile {
namespace {

HwProfile with_warp(std::optional<Measurement> warp) {
  HwProfile profile;
  profile.warp_size = warp;
  return profile;
}

HwProfile with_broadcast(std::optional<BoolMeasurement> pays) {
  HwProfile profile;
  profile.autobroadcast_pays = pays;
  return profile;
}

CacheLevel cache(double bytes, double ns) {
  return {Measurement{bytes, bytes, bytes, true}, {}, Measurement{ns, ns, ns, true}, {}};
}

}  // namespace

TEST_CASE("agreed: a figure is between both, and confident if both were and are near each other") {
  const auto both = [](Measurement a, Measurement b) {
    return *agreed(with_warp(a), with_warp(b)).warp_size;
  };
  CHECK(both(Measurement::exact(32), Measurement::exact(32)) == Measurement::exact(32));
  const auto both_rates = [](Measurement a, Measurement b) {
    HwProfile first, second;
    first.dram_gbs = a;
    second.dram_gbs = b;
    return *agreed(first, second).dram_gbs;
  };
  const Measurement near = both_rates({100, 95, 105, true}, {104, 100, 110, true});
  CHECK(near.value == doctest::Approx(101.98));
  CHECK(near.low == 95);
  CHECK(near.high == 110);
  CHECK(near.confident);
  // Two counts differ by steps that were not tried, so the combined figure is a guess.
  CHECK(both({32, 32, 32, true}, {64, 64, 64, true}) == Measurement{32, 32, 64, false});
  CHECK_FALSE(both({100, 95, 105, true}, {111, 105, 115, true}).confident);
  CHECK_FALSE(both({100, 95, 105, true}, {100, 95, 105, false}).confident);
}

TEST_CASE("agreed: what one pass saw is a guess, what neither saw is not known") {
  const HwProfile seen = with_warp(Measurement::exact(32)), unseen = with_warp(std::nullopt);
  CHECK(agreed(seen, unseen).warp_size == Measurement{32, 32, 32, false});
  CHECK(agreed(unseen, seen).warp_size == Measurement{32, 32, 32, false});
  CHECK_FALSE(agreed(unseen, unseen).warp_size.has_value());
}

TEST_CASE("agreed: yes and no are nothing, unless one of them is a guess") {
  const auto both = [](std::optional<BoolMeasurement> a, std::optional<BoolMeasurement> b) {
    return agreed(with_broadcast(a), with_broadcast(b)).autobroadcast_pays;
  };
  CHECK(both(BoolMeasurement{true, true}, BoolMeasurement{true, true}) == BoolMeasurement{true, true});
  CHECK(both(BoolMeasurement{true, true}, BoolMeasurement{true, false}) == BoolMeasurement{true, false});
  CHECK(both(BoolMeasurement{true, true}, BoolMeasurement{false, true}) == std::nullopt);
  CHECK(both(BoolMeasurement{true, false}, BoolMeasurement{false, false}) == std::nullopt);
  CHECK(both(BoolMeasurement{true, true}, BoolMeasurement{false, false}) == BoolMeasurement{true, false});
  CHECK(both(BoolMeasurement{false, false}, BoolMeasurement{true, true}) == BoolMeasurement{true, false});
  CHECK(both(BoolMeasurement{true, true}, std::nullopt) == BoolMeasurement{true, false});
}

TEST_CASE("agreed: levels of caches belong together by their sizes; one that a single pass saw is left out") {
  HwProfile a, b;
  a.buffer_caches = {cache(32 << 10, 2), cache(256 << 10, 3), cache(1 << 20, 5)};
  b.buffer_caches = {cache(33 << 10, 2), cache(1.2 * (1 << 20), 9), cache(32 << 20, 20)};
  const auto levels = agreed(a, b).buffer_caches;
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].bytes->confident);
  CHECK(levels[0].latency_ns->value == 2);
  CHECK_FALSE(levels[1].bytes->confident);
  CHECK_FALSE(levels[1].latency_ns->confident);
  CHECK(levels[1].latency_ns->low == 5);
  CHECK(levels[1].latency_ns->high == 9);
}

}  // namespace tensordsl::hwprofile

// Tests if a device was steady while it was measured, and how that changes its figures.
#include "hwprofile/analysis/steady.h"

#include <doctest/doctest.h>

#include "hwprofile/analysis/merge.h"

namespace tensordsl::hwprofile {
namespace {

const Measurement kSure{100, 95, 105, true};

HwProfile with(Measurement read, Measurement copy) {
  HwProfile profile;
  profile.dram_gbs = read;
  profile.copy_gbs = copy;
  return profile;
}

}  // namespace

TEST_CASE("steadiness: a clock within 10 % and units that end together are steady") {
  const Steadiness quiet = steadiness({{1.0, 1.02}, {1.05, 1.06}, {1.08, 1.1}});
  CHECK(quiet.clock == doctest::Approx(1.08));
  CHECK(quiet.load == doctest::Approx(1.02));
  CHECK(quiet.has_one_clock());
  CHECK(quiet.is_alone());
}

TEST_CASE(
    "steadiness: a clock that changed between passes, or a load that lasted through them, is not steady") {
  const Steadiness slowed = steadiness({{1.0, 1.0}, {1.0, 1.0}, {1.9, 1.9}, {1.9, 1.9}});
  CHECK(slowed.clock == 1.9);
  CHECK_FALSE(slowed.has_one_clock());
  CHECK(slowed.is_alone());
  // Another program uses one of two units all the time, so that no pass differs from another.
  const Steadiness shared = steadiness({{1.0, 2.0}, {1.0, 1.96}, {1.0, 2.0}, {1.0, 2.0}});
  CHECK(shared.load == 2);
  CHECK(shared.has_one_clock());
  CHECK_FALSE(shared.is_alone());
  CHECK_FALSE(steadiness({}).has_one_clock());
  CHECK_FALSE(steadiness({}).is_alone());
}

TEST_CASE("doubt_unsteady: another clock leaves rates and times guesses, a load leaves everything so") {
  HwProfile profile;
  profile.fma_gflops.f32 = profile.integer_gops.i32 = profile.dram_gbs = profile.launch_us =
      profile.barrier_ns = kSure;
  profile.compute_units = profile.event_resolution_ns = profile.half_storage_speedup = kSure;
  profile.local_memory = {kSure, BoolMeasurement{true, true}, kSure, kSure};
  profile.buffer_caches = {{kSure, kSure, kSure, kSure}};
  HwProfile loaded = profile;
  doubt_unsteady(loaded, {1.0, 1.05});
  CHECK(loaded == profile);
  doubt_unsteady(loaded, {1.0, 2.0});
  CHECK_FALSE(loaded.compute_units->confident);
  CHECK_FALSE(loaded.buffer_caches[0].bytes->confident);
  CHECK_FALSE(loaded.local_memory.on_chip->confident);
  CHECK_FALSE(loaded.dram_gbs->confident);
  doubt_unsteady(profile, {1.9, 1.0});
  for (const auto& figure : {profile.fma_gflops.f32, profile.integer_gops.i32, profile.dram_gbs,
                             profile.launch_us, profile.barrier_ns, profile.local_memory.latency_ns,
                             profile.buffer_caches[0].latency_ns, profile.buffer_caches[0].bandwidth_gbs}) {
    CHECK(*figure == Measurement{100, 95, 105, false});
  }
  for (const auto& figure :
       {profile.compute_units, profile.event_resolution_ns, profile.half_storage_speedup,
        profile.local_memory.bytes, profile.buffer_caches[0].bytes, profile.buffer_caches[0].line_bytes}) {
    CHECK(*figure == kSure);
  }
  CHECK(profile.local_memory.on_chip->confident);
  HwProfile nothing;
  doubt_unsteady(nothing, {2, 2});
  CHECK(nothing == HwProfile());
}

TEST_CASE("settle_contradictions: reads are as fast as a copy at least, or no longer confident") {
  const auto read_of = [](Measurement read, Measurement copy) {
    HwProfile profile = with(read, copy);
    settle_contradictions(profile);
    CHECK(*profile.copy_gbs == copy);
    return *profile.dram_gbs;
  };
  CHECK(read_of(kSure, {90, 85, 95, true}) == kSure);
  CHECK(read_of(kSure, {104, 100, 108, true}) == Measurement{104, 95, 105, true});
  CHECK(read_of(kSure, {109, 100, 118, true}) == Measurement{109, 95, 109, true});
  CHECK(read_of(kSure, {130, 125, 135, true}) == Measurement{100, 95, 130, false});
  HwProfile unknown;
  unknown.dram_gbs = kSure;
  settle_contradictions(unknown);
  CHECK(*unknown.dram_gbs == kSure);
}

TEST_CASE("merge_into: what the part knows replaces, what it does not know stays") {
  HwProfile whole, part;
  whole.device = "a device";
  whole.warp_size = Measurement::exact(32);
  whole.image_caches = {{kSure, {}, {}, {}}};
  part.warp_size = Measurement::exact(64);
  part.dram_gbs = kSure;
  part.autobroadcast_pays = BoolMeasurement{true, false};
  part.buffer_caches = {{kSure, kSure, {}, {}}};
  part.sub_group_sizes = {16, 32};
  merge_into(whole, part);
  CHECK(whole.device == "a device");
  CHECK(whole.warp_size == Measurement::exact(64));
  CHECK(whole.dram_gbs == kSure);
  CHECK(whole.autobroadcast_pays == BoolMeasurement{true, false});
  CHECK(whole.buffer_caches == part.buffer_caches);
  CHECK(whole.image_caches.size() == 1);
  CHECK(whole.sub_group_sizes == std::vector<int>{16, 32});
}

}  // namespace tensordsl::hwprofile

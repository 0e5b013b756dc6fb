// All probes on a device, from the first kernel to the profile.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "device/environment.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/checkpoint.h"
#include "hwprofile/probes/profile_device.h"
#include "hwprofile/probes/told_figures.h"
#include "hwprofile/small_device.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {

TEST_CASE("probes: every kernel of every probe runs, and what they measure is a profile") {
  SmallDevice device(Device::open());
  for (const Probe& probe : all_probes()) {
    CAPTURE(probe.name);
    Bench bench(device, 0);
    const int before = device.launched();
    std::vector<Curve> curves;
    probe.measure(bench, curves);
    CHECK_FALSE(curves.empty());
    CHECK(device.launched() > before - (probe.name == "transfer"));
    for (const Curve& curve : curves) {
      CAPTURE(curve.name);
      CHECK(find_curve(curves, curve.name) == &curve);
      REQUIRE_FALSE(curve.sweep.points.empty());
      for (std::size_t i = 1; i < curve.sweep.points.size(); ++i) CHECK(curve.sweep.points[i] > curve.sweep.points[i - 1]);
      REQUIRE_FALSE(curve.sweep.rounds.empty());
      for (const auto& round : curve.sweep.rounds) {
        REQUIRE(round.size() == curve.sweep.points.size());
        for (const double sample : round) CHECK(sample > 0);
      }
    }
    HwProfile profile;
    std::vector<Mark> marks;
    probe.analyse(curves, device.info(), profile, marks);
    for (const Mark& mark : marks) CHECK(find_curve(curves, mark.curve) != nullptr);
    CHECK(hw_profile_from_json(to_json(profile)) == profile);
  }
}

TEST_CASE("probes: of a device that cannot be asked no curves, and of no curves no figures") {
  for (const Probe& probe : all_probes()) {
    CAPTURE(probe.name);
    HwProfile profile;
    std::vector<Mark> marks;
    probe.analyse({}, DeviceInfo(), profile, marks);
    CHECK(profile == HwProfile());
    CHECK(marks.empty());
  }
}

TEST_CASE("profile_device: goes on where a checkpoint ends, and measures nothing twice") {
  const test::TemporaryFolder folder;
  SmallDevice device(Device::open());
  ProfileOptions options{{"launch", "barrier"}, 0, folder.path() / "p.partial"};
  std::vector<std::string> told;
  const auto progress = [&](std::string_view probe, int done, int total) { told.push_back(fmt::format("{} {}/{}", probe, done, total)); };
  const DeviceProfile first = profile_device(device, options, progress);
  CHECK(told == std::vector<std::string>{"launch 0/4", "barrier 1/4", "launch 2/4", "barrier 3/4", " 4/4"});
  CHECK(first.resumed == 0);
  const int launched = device.launched();
  const DeviceProfile again = profile_device(device, options, nullptr);
  CHECK(again.resumed == 4);
  CHECK(device.launched() == launched);
  CHECK(again.profile == first.profile);
  CHECK(again.results == first.results);
  // A pass that failed is no measurement.
  const CheckpointKey key{device.info().name, device.info().driver, device.info().platform, 0, options.only};
  auto results = first.results;
  results[1].passes[1].error = "the device was away";
  write_checkpoint(options.checkpoint, key, results);
  CHECK(profile_device(device, options, nullptr).resumed == 3);
  CHECK(device.launched() > launched);
}

TEST_CASE("profile_device: the names of the probes are those there are, and a checkpoint has to have a place") {
  SmallDevice device(Device::open());
  CHECK_THROWS_WITH_AS(profile_device(device, {{"cache"}, 0, {}}, nullptr),
                       "there is no probe \"cache\"; the probes are launch, transfer, arithmetic, warp, parallelism, registers, memory, buffer_cache, "
                       "image_cache, local_memory, constant_memory, barrier",
                       Error);
  const int launched = device.launched();
  CHECK_THROWS_WITH_AS(profile_device(device, {{"launch"}, 0, "/no/such/folder/p.partial"}, nullptr), "cannot write /no/such/folder/p.partial", Error);
  CHECK(device.launched() == launched);
}

}  // namespace tensordsl::hwprofile

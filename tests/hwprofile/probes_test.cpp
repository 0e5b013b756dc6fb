// All probes on a device, from the first kernel to the profile.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "device/environment.h"
#include "hwprofile/probes/bench.h"
#include "hwprofile/profiling/checkpoint.h"
#include "hwprofile/profiling/profile_device.h"
#include "hwprofile/reported/reported_by_driver.h"
#include "hwprofile/small_device.h"
#include "hwprofile/test_clock.h"
#include "support/error_text.h"
#include "support/tier.h"

namespace tensordsl::hwprofile {

namespace {

KernelText store_kernel(int group) {
  return {
      "store", "__kernel void store(__global int* a) { a[0] = 1; }", {group, 1, 1}, {buffer_argument("a")}};
}

int largest_group(Device& device) {
  Bench bench(device, 0, TestClock());
  return bench.largest_group(store_kernel, 1024);
}

}  // namespace

TEST_CASE("probes: every kernel of every probe runs, and what they measure is a profile") {
  SmallDevice device(Device::open());
  for (const Probe& probe : all_probes()) {
    CAPTURE(probe.name);
    Bench bench(device, 0, TestClock());
    const int before = device.launched();
    std::vector<Curve> curves;
    probe.measure(bench, curves);
    // Registers are counted in groups of 128, which not every driver allows a kernel.
    CHECK(curves.empty() == (probe.name == "registers" && largest_group(device) < 128));
    CHECK(device.launched() > before - (probe.name == "transfer" || curves.empty()));
    for (const Curve& curve : curves) {
      CAPTURE(curve.name);
      CHECK(find_curve(curves, curve.name) == &curve);
      REQUIRE_FALSE(curve.sweep.points.empty());
      for (std::size_t i = 1; i < curve.sweep.points.size(); ++i)
        CHECK(curve.sweep.points[i] > curve.sweep.points[i - 1]);
      REQUIRE_FALSE(curve.sweep.rounds.empty());
      for (const auto& round : curve.sweep.rounds) {
        REQUIRE(round.size() == curve.sweep.points.size());
        for (const double sample : round) CHECK(sample > 0);
      }
    }
    HwProfile profile;
    probe.analyze(curves, device.info(), profile);
    CHECK(hw_profile_from_json(to_json(profile)) == profile);
  }
}

TEST_CASE("profile_device: of devices with odd limits a profile that reads back, and no probe fails") {
  const std::vector<std::pair<std::string, std::function<void(DeviceInfo&)>>> devices{
      {"groups of one", [](DeviceInfo& d) { d.max_group_size = 1; }},
      {"a first dimension of 12", [](DeviceInfo& d) { d.max_group_sizes[0] = 12; }},
      {"no images", [](DeviceInfo& d) { d.has_images = false; }},
      {"images of one texel",
       [](DeviceInfo& d) {
         d.image_limits = {1, 1, 1, 1};
       }},
      {"images of 100 x 300",
       [](DeviceInfo& d) {
         d.image_limits = {100, 300, 1, 1};
       }},
      {"images of 2^31 x 2^31",
       [](DeviceInfo& d) {
         d.image_limits = {std::int64_t{1} << 31, std::int64_t{1} << 31, 1, 1};
       }},
      {"no local memory", [](DeviceInfo& d) { d.local_memory_bytes = 0; }},
      {"local memory of 16 bytes", [](DeviceInfo& d) { d.local_memory_bytes = 16; }},
      {"local memory of 1000 bytes", [](DeviceInfo& d) { d.local_memory_bytes = 1000; }},
      {"no constant memory", [](DeviceInfo& d) { d.constant_buffer_bytes = 0; }},
      {"allocations of 3000 bytes", [](DeviceInfo& d) { d.max_allocation_bytes = 3000; }},
      {"allocations of 12000 bytes", [](DeviceInfo& d) { d.max_allocation_bytes = 12000; }},
      {"600 KiB of memory", [](DeviceInfo& d) { d.global_memory_bytes = 600 << 10; }},
      {"one compute unit", [](DeviceInfo& d) { d.compute_units = 1; }},
      {"vectors of 32", [](DeviceInfo& d) { d.native_vector_width_float = 32; }},
      {"odd sub-groups",
       [](DeviceInfo& d) {
         d.sub_group_sizes = {0, 32, 4096};
       }},
      {"extensions that it does not have",
       [](DeviceInfo& d) { d.extensions = {"cl_arm_integer_dot_product_int8"}; }},
      {"a name in another encoding", [](DeviceInfo& d) { d.name = "caf\xe9"; }},
      {"a CPU", [](DeviceInfo& d) { d.is_cpu = true; }}};
  for (std::size_t i = 0; i < devices.size(); i += testing::by_tier(4U, 1U)) {
    const auto& [name, change] = devices[i];
    CAPTURE(name);
    SmallDevice device(Device::open(), change);
    const DeviceProfile found = profile_device(device, {{}, 0, {}, TestClock()}, nullptr);
    for (const ProbeResult& result : found.results) {
      CAPTURE(result.probe);
      for (const ProbePass& pass : result.passes) CHECK(pass.error == "");
    }
    const std::string text = to_json(found.profile);
    CHECK(to_json(hw_profile_from_json(text)) == text);
  }
}

TEST_CASE(
    "profile_device: what a failing device measured before it failed stays, and the rest is tried again") {
  const test::TemporaryFolder folder;
  for (const int every : {1, 2, 3, 7, 20}) {
    if (testing::is_left_to_full(every == 2 || every == 20)) continue;
    CAPTURE(every);
    SmallDevice device(Device::open());
    device.fail_every(every);
    const ProfileOptions options{{}, 0, folder.path() / fmt::format("{}.partial", every), TestClock()};
    const DeviceProfile found = profile_device(device, options, nullptr);
    CHECK(found.results.size() == all_probes().size());
    int failed = 0;
    for (const ProbeResult& result : found.results) {
      for (const ProbePass& pass : result.passes) failed += !pass.error.empty();
    }
    CHECK(failed > 0);
    device.fail_every(0);
    const DeviceProfile again = profile_device(device, options, nullptr);
    CHECK(again.resumed < static_cast<int>(2 * all_probes().size()));
    for (const ProbeResult& result : again.results) {
      for (const ProbePass& pass : result.passes) CHECK(pass.error == "");
    }
  }
}

TEST_CASE("profile_device: kernels that a driver refuses are left out of a sweep") {
  SmallDevice device(Device::open());
  device.refuse_texts_over(6000);
  const DeviceProfile found =
      profile_device(device, {{"registers", "arithmetic"}, 0, {}, TestClock()}, nullptr);
  for (const ProbeResult& result : found.results) {
    CAPTURE(result.probe);
    CHECK(result.passes[0].error == "");
    REQUIRE_FALSE(result.passes[0].curves.empty());
    CHECK(result.passes[0].curves[0].sweep.points.back() < 320);
  }
}

TEST_CASE("profile_device: a driver that allows kernels less than the device is asked, and no probe fails") {
  SmallDevice device(Device::open());
  device.allow_kernels(24);
  const DeviceProfile found = profile_device(device, {{}, 0, {}, TestClock()}, nullptr);
  for (const ProbeResult& result : found.results) {
    CAPTURE(result.probe);
    for (const ProbePass& pass : result.passes) {
      CHECK(pass.error == "");
      // Warps are seen in groups of up to 32 at least, and registers counted in groups of 128.
      CHECK(pass.curves.empty() == (result.probe == "registers" || result.probe == "warp"));
    }
  }
}

TEST_CASE("Bench: the largest group is the one that fits what the driver says of the kernel") {
  SmallDevice device(Device::open());
  const auto group_of = [&](std::int64_t allowed) {
    device.allow_kernels(allowed);
    Bench bench(device, 0, TestClock());
    return bench.largest_group(store_kernel, 128);
  };
  const int all = group_of(128);
  CHECK(group_of(100) == std::min(all, 64));
  CHECK(group_of(32) == std::min(all, 32));
  CHECK(group_of(31) == std::min(all, 16));
  CHECK(group_of(1) == 1);
}

TEST_CASE("Bench: a clock that shows nothing ends a probe instead of the day") {
  SmallDevice device(Device::open());
  const TestClock time;
  Bench bench(device, 0, time);
  int launches = 0;
  const auto slow = [&](std::int32_t) {
    ++launches;
    time.advance(0.12);
    return 1e-9;
  };
  CHECK_THROWS_AS(bench.calibrated(1, 1 << 30, 1e-3, slow), DeviceError);
  CHECK(launches == 2);
  CHECK(bench.calibrated(1, 100, 1e-3, [](std::int32_t) { return 1e-9; }) == 64);
  CHECK(bench.calibrated(8, 100, 1e-3, [](std::int32_t steps) { return steps * 1e-4; }) == 16);
}

TEST_CASE("Bench: a probe that takes twenty times what it was given, and a minute, is ended") {
  SmallDevice device(Device::open());
  const auto error_after = [&](double given, double passed) {
    const TestClock time;
    Bench bench(device, given, time);
    const auto buffer = bench.device().allocate(4);
    const KernelText text{
        "store", "__kernel void store(__global int* a) { a[0] = 1; }", {1, 1, 1}, {buffer_argument("a")}};
    const Launch launch{bench.kernel(text), {buffer}};
    time.advance(passed);
    return error_of([&] { bench.seconds_of(launch); });
  };
  CHECK(error_after(0, 59) == "no error");
  CHECK(error_after(0, 62) == device.info().name + " is too slow: the probe took 62 s, but has 0.0 s");
  CHECK(error_after(10, 199) == "no error");
  CHECK(error_after(10, 201) == device.info().name + " is too slow: the probe took 201 s, but has 10.0 s");
}

TEST_CASE(
    "Bench: a sweep has the rounds that its share of the time allows, three at least, and at most as many as "
    "wanted") {
  SmallDevice device(Device::open());
  const auto rounds_of = [&](double given, int sweeps) {
    const TestClock time;
    Bench bench(device, given, time);
    bench.expect_sweeps(sweeps);
    const auto sample = [&](double) {
      time.advance(0.5);
      return 1.0;
    };
    std::vector<std::size_t> rounds;
    for (int i = 0; i < sweeps; ++i) rounds.push_back(bench.sweep({1, 2}, sample, 15).rounds.size());
    return rounds;
  };
  using Rounds = std::vector<std::size_t>;
  CHECK(rounds_of(0, 1) == Rounds{1});
  CHECK(rounds_of(1, 1) == Rounds{3});
  // A round takes a second; the first is to warm up.
  CHECK(rounds_of(10.5, 1) == Rounds{9});
  CHECK(rounds_of(100, 1) == Rounds{15});
  CHECK(rounds_of(21.5, 2) == Rounds{9, 10});
}

TEST_CASE("probes: of a device that cannot be asked no curves, and of no curves no figures") {
  for (const Probe& probe : all_probes()) {
    CAPTURE(probe.name);
    HwProfile profile;
    probe.analyze({}, DeviceInfo(), profile);
    CHECK(profile == HwProfile());
  }
}

TEST_CASE("warp: a CPU is not asked, since its work-items take turns") {
  SmallDevice device(Device::open(), [](DeviceInfo& d) { d.is_cpu = true; });
  const DeviceProfile found = profile_device(device, {{"warp"}, 0, {}, TestClock()}, nullptr);
  for (const ProbePass& pass : found.results[0].passes) CHECK(pass.curves.empty());
  CHECK_FALSE(found.profile.warp_size.has_value());
}

TEST_CASE("profile_device: a device whose clock or load changes leaves rates that are guesses") {
  const auto f32_of = [](double slower_from_pass, double load) {
    SmallDevice device(Device::open());
    ProfileOptions options{{"arithmetic"}, 0, {}, TestClock()};
    int pass = 0;
    const auto progress = [&](std::string_view, int, int) {
      device.disturb(++pass > slower_from_pass ? 1.9 : 1, load);
    };
    const DeviceProfile found = profile_device(device, options, progress);
    CHECK(found.results[0].passes[1].calibrations.size() == 2);
    return std::pair{*found.profile.fma_gflops.f32, steadiness_of(found.results[0])};
  };
  const auto [quiet, quiet_steadiness] = f32_of(9, 1);
  CHECK(quiet.confident);
  CHECK(quiet_steadiness.clock == doctest::Approx(1));
  CHECK(quiet_steadiness.load == doctest::Approx(1));
  // The second pass is slower.
  const auto [slowed, slowed_steadiness] = f32_of(1, 1);
  CHECK_FALSE(slowed.confident);
  CHECK(slowed.low < slowed.high);
  CHECK(slowed_steadiness.clock == doctest::Approx(1.9));
  // Both passes agree, but another program uses a part of the device in both.
  const auto [shared, shared_steadiness] = f32_of(9, 2);
  CHECK_FALSE(shared.confident);
  CHECK(shared_steadiness.clock == doctest::Approx(1));
  CHECK(shared_steadiness.load == doctest::Approx(2));
}

TEST_CASE("profile_device: goes on where a checkpoint ends, and measures nothing twice") {
  const test::TemporaryFolder folder;
  SmallDevice device(Device::open());
  ProfileOptions options{{"launch", "barrier"}, 0, folder.path() / "p.partial", TestClock()};
  std::vector<std::string> told;
  const auto progress = [&](std::string_view probe, int done, int total) {
    told.push_back(fmt::format("{} {}/{}", probe, done, total));
  };
  const DeviceProfile first = profile_device(device, options, progress);
  CHECK(told == std::vector<std::string>{"launch 0/4", "barrier 1/4", "launch 2/4", "barrier 3/4", " 4/4"});
  CHECK(first.resumed == 0);
  const int launched = device.launched();
  const DeviceProfile again = profile_device(device, options, nullptr);
  CHECK(again.resumed == 4);
  CHECK(device.launched() == launched);
  CHECK(again.profile == first.profile);
  CHECK(again.results == first.results);
  // A pass that failed is not a measurement.
  const CheckpointKey key{device.info().name, device.info().driver, device.info().platform, 0, options.only};
  auto results = first.results;
  results[1].passes[1].error = "the device was away";
  write_checkpoint(options.checkpoint, key, results);
  std::string told_before;
  options.notice = [&](const std::string& text) { told_before = text; };
  CHECK(profile_device(device, options, nullptr).resumed == 3);
  CHECK(told_before == "resuming from " + options.checkpoint.string() + ", which has 3 of 4 measurements");
  CHECK(device.launched() > launched);
  // A file that was cut off.
  const std::string text = checkpoint_text(key, first.results);
  test::write_file(options.checkpoint, text.substr(0, text.size() - 10));
  CHECK(profile_device(device, options, nullptr).resumed == 3);
  CHECK(told_before == options.checkpoint.string() +
                           " is damaged: its line 5 is cut off; of 4 measurements 3 could be read and are "
                           "kept; the others are repeated");
}

TEST_CASE(
    "profile_device: the names of the probes are those there are, and a checkpoint has to have a place") {
  SmallDevice device(Device::open());
  CHECK_THROWS_WITH_AS(
      profile_device(device, {{"cache"}, 0, {}}, nullptr),
      "unknown probe \"cache\"; the probes are launch, transfer, arithmetic, warp, parallelism, registers, "
      "memory, buffer_cache, image_cache, local_memory, constant_memory, barrier",
      Error);
  const int launched = device.launched();
  CHECK_THROWS_WITH_AS(profile_device(device, {{"launch"}, 0, "/no/such/folder/p.partial"}, nullptr),
                       "cannot write /no/such/folder/p.partial", Error);
  CHECK(device.launched() == launched);
}

}  // namespace tensordsl::hwprofile

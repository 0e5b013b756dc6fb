// Laws that predictions keep, whatever the device.
#include "predict/predict_kernel.h"

#include <doctest/doctest.h>

#include <cmath>

#include "predict/footprint.h"
#include "predict/synthetic_kernel.h"

namespace tensordsl::predict {
namespace {

using testing::synthetic_kernel;

const std::vector<std::string> kProfiles{"adreno630", "adreno640",   "mali_g76",
                                         "mali_t860", "nvidia_h100", "pocl_cpu_avx512"};

double predicted(std::string_view body, const HwProfile& profile, std::array<Expr, 3> groups) {
  const DeviceFigures device = figures_of(profile);
  const Prediction result =
      predict_kernel(count_work(synthetic_kernel(body, {64, 1, 1}, std::move(groups)), device), device);
  for (const auto& [name, us] : result.bounds) CHECK((std::isfinite(us) && us >= 0));
  return result.us;
}

constexpr const char* kSums =
    "for i in [0, 64) { store a[thread0] = a[thread0]:f32 + b[i*64 + thread0]:f32*c[i]:f32 }";

}  // namespace

TEST_CASE("predict: all figures are known of any profile, and guesses are named") {
  for (const std::string& name : kProfiles) {
    CAPTURE(name);
    const DeviceFigures device = figures_of(load_hw_profile(name));
    CHECK(device.clocks_per_us > 0);
    CHECK(device.issues > 0);
    REQUIRE(device.buffers.size() >= 2);
    CHECK(std::isinf(device.buffers.back().bytes));
    for (const MemoryLevel& level : device.buffers) CHECK(level.bytes_per_clock > 0);
  }
  CHECK(figures_of(HwProfile()).guessed.size() >= 6);
}

TEST_CASE(
    "predict: more work takes longer, and work-groups side by side take less than one after the other") {
  for (const std::string& name : kProfiles) {
    CAPTURE(name);
    const HwProfile profile = load_hw_profile(name);
    const double once = predicted(kSums, profile, {Expr(1000), Expr(1), Expr(1)});
    const double often = predicted(kSums, profile, {Expr(64000), Expr(1), Expr(1)});
    CHECK(often > 8 * once);
    CHECK(often < 80 * once);
    const double one = predicted(kSums, profile, {Expr(1), Expr(1), Expr(1)});
    CHECK(1000 * one > once);
  }
}

TEST_CASE("predict: a profile of absurd warps is read as one of the largest work-groups") {
  HwProfile gpu = load_hw_profile("mali_g76");
  for (const double warp : {3e9, 1e300}) {
    gpu.warp_size->value = warp;
    CHECK(figures_of(gpu).warp == 4096);
  }
}

TEST_CASE("predict: work-items of vectors that do not run in step are a GPU's, with a pool of registers") {
  const DeviceFigures mali = figures_of(load_hw_profile("mali_t860"));
  CHECK(mali.runs_in_step);
  CHECK(mali.warp == 1);
  CHECK(mali.vector_lanes == 4);
  CHECK(mali.takes_halves);
  CHECK_FALSE(figures_of(load_hw_profile("pocl_cpu_avx512")).runs_in_step);
}

TEST_CASE("predict: vectors of repeated numbers are moves where autobroadcast was measured to be faster") {
  HwProfile profile = load_hw_profile("adreno640");
  CHECK(figures_of(profile).moves_repeated);
  profile.autobroadcast_speedup = Measurement::exact(1.1);
  CHECK_FALSE(figures_of(profile).moves_repeated);
  profile.autobroadcast_speedup.reset();
  CHECK_FALSE(figures_of(profile).moves_repeated);
}

TEST_CASE("predict: local memory off the chip is as slow as the cache behind the first") {
  HwProfile profile = load_hw_profile("mali_g76");
  profile.local_memory.bandwidth_gbs.reset();
  profile.local_memory.on_chip = BoolMeasurement{true, true};
  const double on_chip = figures_of(profile).local_bytes_per_clock;
  profile.local_memory.on_chip = BoolMeasurement{false, true};
  CHECK(figures_of(profile).local_bytes_per_clock < on_chip);
}

TEST_CASE("predict: registers that do not fit are memory, and take longer than those that do") {
  const DeviceFigures device = figures_of(load_hw_profile("mali_t860"));
  KernelWork work = count_work(synthetic_kernel(kSums, {64, 1, 1}), device);
  const auto spills = [&](int registers) {
    work.registers = registers;
    const Prediction result = predict_kernel(work, device);
    double us = 0;
    for (const auto& [name, bound] : result.bounds) us += name == "spills" ? bound : 0;
    return std::pair{us, result.us};
  };
  CHECK(spills(64).first == 0);
  CHECK(spills(80).first > 0);
  CHECK(spills(96).first == doctest::Approx(2 * spills(80).first));
  CHECK(spills(96).second > spills(64).second);
}

TEST_CASE("predict: steps of occupancy tell how many work-groups run side by side, else the pool does") {
  HwProfile profile = load_hw_profile("mali_g76");
  profile.registers.occupancy = {{32, 768}, {64, 384}};
  KernelWork work = count_work(synthetic_kernel(kSums, {64, 1, 1}), figures_of(profile));
  const auto groups = [&](int registers) {
    work.registers = registers;
    return predict_kernel(work, figures_of(profile)).groups_of_unit;
  };
  CHECK(groups(32) == 12);
  CHECK(groups(33) == 6);
  CHECK(groups(80) == 6);
  profile.registers.occupancy.clear();
  profile.registers.pool = Measurement::exact(64 * 32 * 8);
  CHECK(groups(16) == 8);  // 16 more are for addresses
}

TEST_CASE("predict: one warp on a unit starts an instruction in every second clock") {
  const DeviceFigures device = figures_of(load_hw_profile("adreno640"));
  KernelWork work;
  work.groups = device.units;
  work.group_items = device.warp;
  work.operations.multiply_adds = 1e6;
  CHECK(predict_kernel(work, device).us * device.clocks_per_us > 2e6);
  work.group_items = 8 * device.warp;
  CHECK(predict_kernel(work, device).us * device.clocks_per_us < 8 * 2e6);
}

TEST_CASE("predict: reading far apart is slower than reading neighbors") {
  const HwProfile gpu = load_hw_profile("nvidia_h100");
  const auto of = [&](const char* index) {
    return predicted(std::string("store a[thread0] = b[") + index + "]:f32", gpu,
                     {Expr(4096), Expr(4), Expr(1)});
  };
  CHECK(of("thread0*64 + block0") > 2 * of("block0*64 + thread0"));
}

TEST_CASE("predict: a cache delivers an address that a warp shares to each work-item, by fast vectors") {
  HwProfile gpu = load_hw_profile("mali_g76");
  const auto us_of_cache = [&](const char* index) {
    const DeviceFigures device = figures_of(gpu);
    const std::string body =
        std::string("for i in [0, 64) { store a[thread0] = a[thread0]:f32 + b[") + index + "]:f32 }";
    const KernelWork work = count_work(synthetic_kernel(body, {64, 1, 1}), device);
    for (const auto& [name, us] : predict_kernel(work, device).bounds) {
      if (name == device.buffers.front().name) return us;
    }
    return 0.0;
  };
  const double shared = us_of_cache("i"), own = us_of_cache("i*64 + thread0");
  CHECK(shared < own);
  gpu.vector_width.buffer->value = 16;
  CHECK(us_of_cache("i") < shared);
  CHECK(us_of_cache("i*64 + thread0") == doctest::Approx(own));
}

TEST_CASE("footprint: what iterations share passes a cache once, if an iteration stays in it") {
  const auto past = [](double cache_bytes) {
    const KernelWork work =
        count_work(synthetic_kernel("for i in [0, 10) { for j in [0, 100) { store a[0] = b[j*16]:f32 } }",
                                    {1, 1, 1}, {Expr(1), Expr(1), Expr(1)}),
                   CountingOptions{1, 1, 64});
    const auto is_b = [](const AccessWork& access) { return access.tensor == "b"; };
    std::vector<double> iterations;
    for (std::size_t depth = 0; depth < 4; ++depth)
      iterations.push_back(bytes_of_iteration(work, depth, is_b, 64));
    for (const AccessWork& access : work.accesses) {
      if (is_b(access)) return bytes_past_unit_cache(work, access, cache_bytes, iterations, 64);
    }
    return 0.0;
  };
  CHECK(past(1 << 20) == doctest::Approx(100 * 64).epsilon(0.1));
  CHECK(past(1024) == doctest::Approx(10 * past(1 << 20)).epsilon(0.1));
}

namespace {

double past_shared_cache(const std::string& text) {
  const KernelWork work = count_work(synthetic_kernel(text, {64, 1, 1}, {Expr(100), Expr(1), Expr(1)}),
                                     CountingOptions{1, 32, 64});
  const auto is_any = [](const AccessWork&) { return true; };
  constexpr double kTogether = 20;
  return bytes_past_shared_cache(work, is_any, 1 << 20, kTogether, 64);
}

}  // namespace

TEST_CASE("footprint: loads of a tensor that overlap pass a shared cache once, and a store passes it too") {
  constexpr double kBytes = 64 * 100 * 4;
  CHECK(past_shared_cache("store a[block0*64 + thread0] = b[block0*64 + thread0]:f32") ==
        doctest::Approx(2 * kBytes).epsilon(0.1));
  CHECK(past_shared_cache(
            "store a[block0*64 + thread0] = b[block0*64 + thread0]:f32 + b[block0*64 + thread0 + "
            "1]:f32 + b[block0*64 + thread0 + 2]:f32") == doctest::Approx(2 * kBytes).epsilon(0.1));
  CHECK(past_shared_cache("store a[block0*64 + thread0] = a[block0*64 + thread0]:f32 + 1.0") ==
        doctest::Approx(2 * kBytes).epsilon(0.1));
}

TEST_CASE("footprint: groups that run together share what all of them read, if it fits the cache or not") {
  const KernelWork work = count_work(synthetic_kernel("for i in [0, 1000) { store a[0] = b[i*16]:f32 }",
                                                      {64, 1, 1}, {Expr(100), Expr(1), Expr(1)}),
                                     CountingOptions{1, 32, 64});
  const auto past = [&](double cache_bytes) {
    const auto is_b = [](const AccessWork& access) { return access.tensor == "b"; };
    constexpr double kTogether = 20;
    return bytes_past_shared_cache(work, is_b, cache_bytes, kTogether, 64);
  };
  constexpr double kWeights = 1000 * 64;
  CHECK(past(1 << 20) == doctest::Approx(kWeights).epsilon(0.1));
  CHECK(past(16 << 10) == doctest::Approx(5 * kWeights).epsilon(0.1));  // in each of five rounds of groups
}

}  // namespace tensordsl::predict

// Attention of many keys, and of a number that is known when it runs: one kernel with a running softmax.
#include <doctest/doctest.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "support/load_model.h"
#include "support/tier.h"

using namespace tensordsl;
using testing::attribute;
using testing::Ints;
using testing::load_model;
using testing::Names;
using testing::OnnxModel;

namespace {

constexpr std::int64_t kHeads = 2, kDepth = 6;

/// y = softmax(q*k/2 + mask)*v of `n` queries and `m` keys; "queries" and "keys" may be open.
OnnxModel attention(std::int64_t n, std::int64_t m, std::int64_t elements, const Names& open = {}) {
  OnnxModel model;
  model.input("q", {kHeads, n, kDepth}).input("k", {kHeads, m, kDepth}).input("v", {kHeads, m, elements});
  model.input("mask", {n, m}).floats("half", {}, {0.5F});
  for (const auto& [input, dimension, name] :
       {std::tuple{0, 1, "queries"}, {1, 1, "keys"}, {2, 1, "keys"}, {3, 0, "queries"}, {3, 1, "keys"}}) {
    if (std::ranges::count(open, name) > 0) model.name_dim(input, dimension, name);
  }
  model.node("Transpose", {"k"}, {"t"}, {attribute("perm", Ints{0, 2, 1})});
  model.node("MatMul", {"q", "t"}, {"s"}).node("Mul", {"s", "half"}, {"h"}).node("Add", {"h", "mask"}, {"a"});
  return model.node("Softmax", {"a"}, {"w"}).node("MatMul", {"w", "v"}, {"y"}).output("y");
}

Buffer numbers(const Ints& shape, int seed) {
  Buffer buffer(Float(32), shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    buffer.set(i, static_cast<double>((i * 37 + seed * 11) % 101) / 50 - 1);
  return buffer;
}

/// A mask in which each query, by its number, sees all keys; those after the first 256; some; none; or none
/// by the lowest finite number, which gives every key equal weight.
Buffer mask_of(std::int64_t n, std::int64_t m, bool has_lowest) {
  Buffer mask(Float(32), {n, m});
  for (std::int64_t i = 0; i < n * m; ++i) {
    const std::int64_t query = i / m, key = i % m, kind = query % 5;
    const bool is_hidden = kind == 1   ? key < 256 && m > 256
                           : kind == 2 ? key % 3 == 1 && key > 0
                                       : kind == 3 || kind == 4;
    const double hidden = kind == 4 && has_lowest ? static_cast<double>(std::numeric_limits<float>::lowest())
                                                  : -std::numeric_limits<double>::infinity();
    mask.set(i, is_hidden ? hidden : static_cast<double>(key % 7) / 10);
  }
  return mask;
}

/// Computes the attention by its definition.
std::vector<double> expected(const std::map<std::string, Buffer>& in, std::int64_t n, std::int64_t m,
                             std::int64_t elements) {
  std::vector<double> y;
  for (std::int64_t row = 0; row < kHeads * n; ++row) {
    const std::int64_t head = row / n;
    std::vector<double> scores;
    double most = -std::numeric_limits<double>::infinity(), total = 0;
    for (std::int64_t j = 0; j < m; ++j) {
      double dot = 0;
      for (std::int64_t d = 0; d < kDepth; ++d)
        dot += in.at("q").get(row * kDepth + d) * in.at("k").get((head * m + j) * kDepth + d);
      // Computed in f32, where adding a number to the lowest one does not change it.
      const double mask = in.at("mask").get(row % n * m + j);
      scores.push_back(static_cast<double>(static_cast<float>(dot / 2) + static_cast<float>(mask)));
      most = std::max(most, scores.back());
    }
    for (double& score : scores) total += score = std::exp(score - most);
    for (std::int64_t e = 0; e < elements; ++e) {
      double sum = 0;
      for (std::int64_t j = 0; j < m; ++j)
        sum += scores[static_cast<std::size_t>(j)] * in.at("v").get((head * m + j) * elements + e);
      y.push_back(m > 0 ? sum / total : 0);
    }
  }
  return y;
}

void check(const std::shared_ptr<const Program>& program, Device& device, std::int64_t n, std::int64_t m,
           std::int64_t elements, bool is_half, const ParamValues& params = {}) {
  CAPTURE(n);
  CAPTURE(m);
  const std::map<std::string, Buffer> inputs{{"q", numbers({kHeads, n, kDepth}, 1)},
                                             {"k", numbers({kHeads, m, kDepth}, 2)},
                                             {"v", numbers({kHeads, m, elements}, 3)},
                                             {"mask", mask_of(n, m, !is_half)}};
  Runner runner(program, device, params);
  runner.write_all(inputs);
  runner.run();
  const Buffer found = runner.read();
  const std::vector<double> right = expected(inputs, n, m, elements);
  REQUIRE(found.elements() == static_cast<std::int64_t>(right.size()));
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    const double value = right[static_cast<std::size_t>(i)];
    if (std::isnan(value)) {
      REQUIRE(std::isnan(found.get(i)));
    } else {
      REQUIRE(found.get(i) == doctest::Approx(value).epsilon(is_half ? 1e-2 : 1e-4));
    }
  }
}

constexpr const char* kOwnProfile = "its own profile";

/// For this device, with the schedules of a profile.
CompileTarget target_of(const Device& device, const std::string& profile) {
  CompileTarget target;
  target.device = device.info();
  if (profile != kOwnProfile) target.profile = load_hw_profile(profile);
  return target;
}

/// Limits work-groups to what the driver allows for the built kernels.
CompileTarget allowed_by(Device& device, CompileTarget target) {
  target.max_group_size = [&device](const KernelSource& kernel) { return device.max_group_size(kernel); };
  return target;
}

/// Each is a subcase, so that a driver can leave one out.
constexpr std::array kProfiles{kOwnProfile, "pocl_cpu_avx512", "adreno640", "mali_g76", "nvidia_h100"};

/// True if the tier quick leaves the profile to the tier full.
bool is_for_full(const std::string& profile) {
  return profile == "nvidia_h100" || profile == "pocl_cpu_avx512";
}

/// False for devices whose local memory is in main memory: there products and softmax stay unfused.
bool is_one_kernel(const std::string& profile) { return profile != "mali_g76"; }

}  // namespace

TEST_CASE("long attention: of any number of queries and keys gives what its definition says, in one kernel") {
  const auto device = Device::open();
  for (const char* profile : kProfiles) {
    if (testing::is_left_to_full(is_for_full(profile))) continue;
    SUBCASE(profile) {
      const CompileTarget target = target_of(*device, profile);
      for (const std::int64_t elements : {5, 32}) {
        if (testing::is_left_to_full(elements == 32 && profile != kOwnProfile)) continue;
        CAPTURE(elements);
        const Model model = load_model(attention(1, 1, elements, {"queries", "keys"}));
        CHECK(fmt::format("{}", fmt::join(model.compile(target).warnings, "\n")) == "");
        const auto program = std::make_shared<const Program>(model.compile(allowed_by(*device, target)));
        REQUIRE((program->launches.size() == 1) == is_one_kernel(profile));
        for (const auto& [n, m] : std::vector<std::pair<int, int>>{{1, 1},
                                                                   {3, 0},
                                                                   {5, 3},
                                                                   {3, 5},
                                                                   {17, 7},
                                                                   {7, 17},
                                                                   {16, 256},
                                                                   {33, 257},
                                                                   {5, 1025},
                                                                   {19, 1500}})
          check(program, *device, n, m, elements, false, {{"queries", n}, {"keys", m}});
      }
    }
  }
}

TEST_CASE("long attention: more keys than are held at once, of a known number, are right, in one kernel") {
  const auto device = Device::open();
  for (const char* profile : kProfiles) {
    if (testing::is_left_to_full(is_for_full(profile))) continue;
    SUBCASE(profile) {
      CompileTarget target = allowed_by(*device, target_of(*device, profile));
      for (const Precision precision : {Precision::Float32, Precision::Float16}) {
        target.precision = precision;
        for (const auto& [n, m] : {std::pair{9, 2048}, {2, 3001}}) {
          if (testing::is_left_to_full(m == 2048 && profile != kOwnProfile)) continue;
          const auto program =
              std::make_shared<const Program>(load_model(attention(n, m, 24)).compile(target));
          CHECK((program->launches.size() == 1) == is_one_kernel(profile));
          check(program, *device, n, m, 24, precision == Precision::Float16);
        }
      }
    }
  }
}

TEST_CASE("long attention: f16 of any number of keys is right, in one kernel") {
  const auto device = Device::open();
  for (const char* profile : kProfiles) {
    if (testing::is_left_to_full(is_for_full(profile))) continue;
    SUBCASE(profile) {
      CompileTarget target = allowed_by(*device, target_of(*device, profile));
      target.precision = Precision::Float16;
      const auto program = std::make_shared<const Program>(
          load_model(attention(1, 1, 16, {"queries", "keys"})).compile(target));
      REQUIRE((program->launches.size() == 1) == is_one_kernel(profile));
      for (const auto& [n, m] : {std::pair{1, 1}, {3, 7}, {17, 300}})
        check(program, *device, n, m, 16, true, {{"queries", n}, {"keys", m}});
    }
  }
}

TEST_CASE("long attention: one query is one kernel on a CPU, of any number of keys") {
  const auto device = Device::open();
  const CompileTarget target = target_of(*device, "pocl_cpu_avx512");
  const OnnxModel model = attention(1, 1, 16, {"keys"});
  const auto program = std::make_shared<const Program>(load_model(model).compile(target));
  REQUIRE(program->launches.size() == 1);
  for (const int m : {1, 3, 7, 17, 256, 1025}) check(program, *device, 1, m, 16, false, {{"keys", m}});
}

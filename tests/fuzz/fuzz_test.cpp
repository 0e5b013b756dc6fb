// Definitions and schedules drawn at random: each pair is refused with a ScheduleError or computes what the
// interpreter computes.
//   TENSORDSL_FUZZ_CASES=N   draws N cases instead of 2000
//   TENSORDSL_FUZZ_SEED=S    runs case S alone and prints all of it
//   TENSORDSL_FUZZ_REFUSALS=1      prints why cases were refused
//   TENSORDSL_FUZZ_DEVICE_CASES=N  runs N cases on the device instead of 220
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "fuzz/opencl_batch.h"
#include "fuzz/run_case.h"
#include "ir/print.h"
#include "pipeline/describe.h"
#include "runtime/evaluate.h"

using namespace tensordsl;
using namespace tensordsl::fuzz;

namespace {

int number_from_environment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// What accepted cases must contain, and in how many of 2000 at least.
constexpr std::pair<const char*, int> kRequired[] = {
    {"split", 100},
    {"local memory", 40},
    {"barrier", 20},
    {"barrier in a loop", 5},
    {"Image2D, RGBA, read", 10},
    {"Image2D, RGBA, written", 5},
    {"Image2DArray, RGBA, read", 5},
    {"Image1DBuffer, RGBA, read", 5},
    {"Image2D, R, read", 5},
    {"in", 50},
    {"store_in(Local)", 20},
    {"store_in(SubGroup)", 10},
    {"handed over in a sub-group", 5},
    {"store_in(Private)", 10},
    {"double_buffer", 5},
    {"autobroadcast", 50},
    {"rfactor", 15},
    {"split_k", 15},
    {"specialize", 15},
    {"gpu_lanes", 10},
    {"half_arithmetic", 20},
    {"exact in f16", 10},
    {"a specialization runs", 5},
};

/// What PoCL 3.1 cannot do: it reads and writes texels of one half as bytes, and crashes on a kernel whose
/// only memory is an image1d_buffer_t.
bool meets_driver_fault(const lower::LoweredPipeline& lowered) {
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    const auto& only = kernel.buffers;
    if (only.size() == 1 && only[0].image && only[0].image->kind == Image1DBuffer) return true;
    for (const lower::BufferArgument& b : kernel.buffers) {
      if (b.image && b.image->channels == 1 && b.type == Float(16)) return true;
    }
  }
  return false;
}

/// for k { ... barrier ... if (k < 1) ... }: where LLVM threads the jump over the test into the next round,
/// PoCL 3.1 finds an edge into the middle of what stands between barriers, and aborts.
bool tests_loop_behind_barrier(const ir::Stmt& stmt) {
  bool found = false;
  if (!stmt.defined()) return found;
  ir::visit(stmt, [&](const ir::Stmt& s) {
    if (s->kind != ir::StmtKind::For) return !found;
    bool has_barrier = false, has_test = false;
    ir::visit(s->body[0], [&](const ir::Stmt& inner) {
      has_barrier = has_barrier || inner->kind == ir::StmtKind::Barrier;
      const bool tests_loop = inner->kind == ir::StmtKind::If && ir::uses_var(inner->exprs[0], s->name);
      // A test may have a name.
      const bool names_test = inner->kind == ir::StmtKind::Let && inner->exprs[0].type().is_bool() &&
                              ir::uses_var(inner->exprs[0], s->name);
      has_test = has_test || tests_loop || names_test;
      return true;
    });
    found = found || (has_barrier && has_test);
    return !found;
  });
  return found;
}

bool aborts_pocl(const lower::LoweredPipeline& lowered, const DeviceInfo& device) {
  if (device.platform != "Portable Computing Language") return false;
  return std::any_of(lowered.kernels.begin(), lowered.kernels.end(),
                     [](const auto& kernel) { return tests_loop_behind_barrier(kernel.body); });
}

/// Images larger than what every device of OpenCL 1.2 must take.
bool is_too_large(const lower::LoweredPipeline& lowered, const ParamValues& params) {
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    for (const lower::BufferArgument& b : kernel.buffers) {
      if (!b.image) continue;
      const auto& extents = b.image->extents;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t most = extents.size() == 1 ? 65536 : extents.size() - i > 2 ? 2048 : 8192;
        if (evaluate(ir::print(extents[i]), params) > most) return true;
      }
    }
  }
  return false;
}

/// The device runs the sub-groups that the kernels count on.
bool fits_sub_groups(const lower::LoweredPipeline& lowered, const DeviceInfo& device) {
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    const auto& sizes = device.sub_group_sizes;
    if (kernel.sub_group_size > 0 &&
        std::find(sizes.begin(), sizes.end(), kernel.sub_group_size) == sizes.end())
      return false;
  }
  return true;
}

void report(std::uint64_t seed) {
  const Case small = minimized({seed, {}, std::nullopt});
  const Result result = run_case(small);
  FAIL_CHECK(describe(small, result));
}

}  // namespace

TEST_CASE(
    "fuzz: every drawn schedule is refused with a ScheduleError or computes what the interpreter computes") {
  if (const int seed = number_from_environment("TENSORDSL_FUZZ_SEED", -1); seed >= 0) {
    const Case c{static_cast<std::uint64_t>(seed), {}, std::nullopt};
    const Result result = run_case(c);
    fmt::print("{}", describe(c, result));
    for (const auto& kernel : result.lowered.kernels) fmt::print("{}\n", describe_kernel(kernel));
    if (result.outcome == Outcome::Failed) report(c.seed);
    return;
  }
  const int cases = number_from_environment("TENSORDSL_FUZZ_CASES", 2000);
  int accepted = 0, failed = 0;
  std::map<std::string, int> coverage;
  std::map<std::string, int> refusals;
  for (int i = 0; i < cases && failed < 10; ++i) {
    CAPTURE(i);
    const Result result = run_case({static_cast<std::uint64_t>(i), {}, std::nullopt});
    if (result.outcome == Outcome::Failed) {
      ++failed;
      report(static_cast<std::uint64_t>(i));
    }
    if (result.outcome == Outcome::Refused && std::getenv("TENSORDSL_FUZZ_REFUSALS"))
      fmt::print("{} {}\n", i, result.message);
    if (result.outcome != Outcome::Accepted) continue;
    ++accepted;
    for (const std::string& feature : result.features) ++coverage[feature];
  }
  fmt::print("fuzz: {} cases, {} accepted and run, {} refused\n", cases, accepted, cases - accepted - failed);
  for (const auto& [feature, count] : coverage) fmt::print("  {:<24} {}\n", feature, count);
  if (cases < 2000) return;  // too few to count on rare features
  CHECK(accepted * 10 >= cases * 4);
  for (const auto& [feature, least] : kRequired) {
    CAPTURE(feature);
    CHECK(coverage[feature] * 2000 >= least * cases);
  }
}

TEST_CASE("fuzz: accepted schedules compute the same on an OpenCL device") {
  const int wanted = number_from_environment("TENSORDSL_FUZZ_DEVICE_CASES", 220);
  std::vector<Result> cases;
  std::vector<Case> seeds;
  const DeviceInfo device = device_of_batch();
  for (std::uint64_t seed = 0;
       static_cast<int>(cases.size()) < wanted && seed < 20u * static_cast<unsigned>(wanted); ++seed) {
    seeds.push_back({seed, {}, std::nullopt});
    Result result = run_case(seeds.back());
    // PoCL takes 0.1 s for a kernel, so most cases have few.
    const bool fits = result.outcome == Outcome::Accepted && fits_sub_groups(result.lowered, device) &&
                      !result.features.contains("half_arithmetic") && !meets_driver_fault(result.lowered) &&
                      !aborts_pocl(result.lowered, device) &&
                      !is_too_large(result.lowered, result.definition.params);
    if (fits && result.lowered.kernels.size() <= (seed % 8 == 0 ? 8 : 2)) {
      cases.push_back(std::move(result));
    } else {
      seeds.pop_back();
    }
  }
  const auto differences = run_on_device(cases);
  CHECK(static_cast<int>(differences.size()) == wanted);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!differences[i].empty()) FAIL_CHECK(differences[i] << "\n" << describe(seeds[i], cases[i]));
  }
}

// Definitions and schedules drawn at random: each pair is refused with a ScheduleError or computes what the
// interpreter computes. Variables of the environment choose the cases; see docs/HACKING.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "backends/llvm/emit/llvm_backend.h"
#include "fuzz/device_batch.h"
#include "fuzz/opencl_batch.h"
#include "fuzz/run_case.h"
#include "fuzz/settings.h"
#include "ir/text/print.h"
#include "lower/place/check_double.h"
#include "pipeline/describe.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"
#include "support/driver_faults.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::fuzz;

namespace {

/// The features that accepted cases must contain, and in how many of 2000 at least.
constexpr std::pair<const char*, int> kRequired[] = {
    {"layout, padded", 5},
    {"layout, part", 3},
    {"layout, swizzled", 3},
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
    {"tuple", 100},
    {"rank 0", 80},
    {"several outputs", 20},
    {"extremum", 20},
    {"where", 50},
    {"where data say", 20},
    {"reduction in place", 50},
    {"argmax in place", 30},
    {"promise", 50},
    {"store_at", 40},
    {"fold_storage", 10},
    {"compute_with", 10},
    {"align_storage", 40},
    {"type f64", 50},
    {"type i16", 50},
    {"type u16", 50},
    {"type u32", 50},
    {"type u64", 50},
};

/// True for kernels with which PoCL 3.1 fails: it reads and writes texels of one half as bytes, and crashes
/// on a kernel whose only memory is an image1d_buffer_t.
bool meets_driver_fault(const lower::LoweredPipeline& lowered, const DeviceInfo& device) {
  if (!is_pocl(device)) return false;
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    const auto& only = kernel.buffers;
    if (only.size() == 1 && only[0].image && only[0].image->kind == Image1DBuffer) return true;
    for (const lower::BufferArgument& b : kernel.buffers) {
      if (b.image && b.image->channels == 1 && b.type == Float(16)) return true;
    }
  }
  return false;
}

/// True for barrier ... for k { ... if (k < 1) ... }: LLVM threads the jump over the test into the next
/// round. PoCL 3.1 then finds an edge into the middle of a region between barriers and aborts, or a loop
/// never ends.
bool tests_loop_beside_barrier(const ir::Stmt& stmt) {
  bool has_barrier = false, has_test = false;
  if (!stmt.defined()) return false;
  std::set<std::string> steps;  // the loops' variables, and names of what is made of them
  const auto uses_step = [&](const Expr& e) {
    return std::ranges::any_of(steps, [&](const std::string& name) { return ir::uses_var(e, name); });
  };
  ir::visit(stmt, [&](const ir::Stmt& s) {
    has_barrier = has_barrier || s->kind == ir::StmtKind::Barrier;
    if (s->kind == ir::StmtKind::For) steps.insert(s->name);
    if (s->kind == ir::StmtKind::Let && uses_step(s->value())) {
      steps.insert(s->name);
      has_test = has_test || s->value().type().is_bool();
    }
    has_test = has_test || (s->kind == ir::StmtKind::If && uses_step(s->condition()));
    return true;
  });
  return has_barrier && has_test;
}

bool aborts_pocl(const lower::LoweredPipeline& lowered, const DeviceInfo& device) {
  if (!is_pocl(device)) return false;
  return std::any_of(lowered.kernels.begin(), lowered.kernels.end(),
                     [](const auto& kernel) { return tests_loop_beside_barrier(kernel.body); });
}

/// Images larger than what every device of OpenCL 1.2 must take.
bool is_too_large(const lower::LoweredPipeline& lowered, const ParamValues& params) {
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    for (const lower::BufferArgument& b : kernel.buffers) {
      if (!b.image) continue;
      const auto& extents = b.image->extents;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t most = extents.size() == 1 ? 65536 : extents.size() - i > 2 ? 2048 : 8192;
        if (runtime::evaluate(ir::print(extents[i]), params) > most) return true;
      }
    }
  }
  return false;
}

/// True if no work-group needs more local memory than the device has.
bool fits_local_memory(const lower::LoweredPipeline& lowered, const DeviceInfo& device) {
  return std::ranges::all_of(lowered.kernels, [&](const lower::LoweredKernel& kernel) {
    return kernel.resources.local_bytes <= device.local_memory_bytes;
  });
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

/// Allows for chance in unusual cases, whose features were never counted: three standard deviations of a rare
/// event.
int least_count(int least, const Settings& settings) {
  if (settings.are_usual_cases()) return least;
  const double expected = least * settings.cases / 2000.0;
  return static_cast<int>(expected - 3 * std::sqrt(expected));
}

/// Returns how many cases are drawn at most for `wanted` of them that a device can run.
int most_drawn(int wanted, const Settings& settings) { return settings.seed ? 1 : 20 * wanted; }

Case case_of(int seed, const Settings& settings) {
  return {static_cast<std::uint64_t>(seed), {settings.extent}, std::nullopt};
}

/// True if the kernels use no f16 arithmetic, or the device has it and cannot round differently from the
/// expected result.
bool fits_halves(const std::set<std::string>& features, const DeviceInfo& device) {
  return !features.contains("half_arithmetic") || (device.has_fp16 && features.contains("exact in f16"));
}

/// True if nothing is computed in f64, or the device has it.
bool fits_doubles(const Result& result, const DeviceInfo& device) {
  try {
    lower::check_double(ir::reachable(result.definition.definitions()), device.has_fp64);
    return true;
  } catch (const ScheduleError&) {
    return false;
  }
}

void report(const Case& failing) {
  const Case small = minimized(failing);
  const Result result = run_case(small);
  FAIL_CHECK(describe(small, result));
}

}  // namespace

TEST_CASE(
    "fuzz: every drawn schedule is refused with a ScheduleError or computes what the interpreter computes") {
  const Settings settings = read_settings(std::getenv);
  if (settings.seed) {
    const Case c = case_of(*settings.seed, settings);
    const Result result = run_case(c);
    fmt::print("{}", describe(c, result));
    for (const auto& kernel : result.lowered.kernels) fmt::print("{}\n", describe_kernel(kernel));
    if (result.outcome == Outcome::Failed) report(c);
    return;
  }
  const int cases = settings.cases;
  int accepted = 0, failed = 0;
  std::map<std::string, int> coverage;
  std::map<std::string, int> refusals;
  for (int i = 0; i < cases && failed < 10; ++i) {
    const Case c = case_of(settings.first + i, settings);
    CAPTURE(c.seed);
    const Result result = run_case(c);
    if (result.outcome == Outcome::Failed) {
      ++failed;
      report(c);
    }
    if (result.outcome == Outcome::Refused && settings.prints_refusals)
      fmt::print("{} {}\n", c.seed, result.message);
    if (result.outcome != Outcome::Accepted) continue;
    ++accepted;
    for (const std::string& feature : result.features) ++coverage[feature];
  }
  fmt::print("fuzz: {} cases, {} accepted and run, {} refused\n", cases, accepted, cases - accepted - failed);
  for (const auto& [feature, count] : coverage) fmt::print("  {:<24} {}\n", feature, count);
  if (settings.extent < kUsualExtent) return;  // too small for some features
  CHECK(accepted >= least_count(800, settings));
  for (const auto& [feature, least] : kRequired) {
    CAPTURE(feature);
    CHECK(coverage[feature] >= least_count(least, settings));
  }
}

TEST_CASE("fuzz: accepted schedules compute the same on an OpenCL device") {
  const Settings settings = read_settings(std::getenv);
  const int wanted = settings.device_cases;
  std::vector<Result> cases;
  std::vector<Case> seeds;
  const DeviceInfo device = device_of_batch();
  for (int i = 0; static_cast<int>(cases.size()) < wanted && i < most_drawn(wanted, settings); ++i) {
    seeds.push_back(case_of(settings.first + i, settings));
    Result result = run_case(seeds.back());
    // PoCL takes 0.1 s for a kernel, so most cases have few.
    const bool fits = result.outcome == Outcome::Accepted && fits_sub_groups(result.lowered, device) &&
                      fits_halves(result.features, device) && fits_doubles(result, device) &&
                      fits_local_memory(result.lowered, device) &&
                      !meets_driver_fault(result.lowered, device) && !aborts_pocl(result.lowered, device) &&
                      !is_too_large(result.lowered, result.definition.params);
    if (fits && result.lowered.kernels.size() <= (i % 8 == 0 ? 8 : 2)) {
      cases.push_back(std::move(result));
    } else {
      seeds.pop_back();
    }
  }
  const auto halves =
      std::ranges::count_if(cases, [](const Result& c) { return c.features.contains("half_arithmetic"); });
  const auto sub_groups = std::ranges::count_if(cases, [](const Result& c) {
    return std::ranges::any_of(c.lowered.kernels,
                               [](const auto& kernel) { return kernel.sub_group_size > 0; });
  });
  fmt::print("fuzz: {} cases on {}, {} with half arithmetic, {} with sub-groups\n", cases.size(), device.name,
             halves, sub_groups);
  if (settings.are_usual_cases() && wanted >= 200) {
    CHECK((halves > 0) == device.has_fp16);
    CHECK((sub_groups > 0) == !device.sub_group_sizes.empty());
  }
  const auto differences = run_on_device(cases, settings.kernels_of_program);
  if (!settings.seed) CHECK(static_cast<int>(differences.size()) == wanted);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!differences[i].empty()) FAIL_CHECK(differences[i] << "\n" << describe(seeds[i], cases[i]));
  }
}

TEST_CASE("fuzz: accepted schedules compute the same on the host's processor") {
  const Settings settings = read_settings(std::getenv);
  const std::shared_ptr<Device> device = Device::open("host");
  constexpr int kAtOnce = 64;
  int accepted = 0;
  for (int i = 0; accepted < settings.host_cases && i < most_drawn(settings.host_cases, settings);) {
    std::vector<Result> cases;
    std::vector<Case> seeds;
    for (; static_cast<int>(cases.size()) < kAtOnce &&
           accepted + static_cast<int>(cases.size()) < settings.host_cases &&
           i < most_drawn(settings.host_cases, settings);
         ++i) {
      seeds.push_back(case_of(settings.first + i, settings));
      Result result = run_case(seeds.back());
      const bool fits = result.outcome == Outcome::Accepted &&
                        !is_too_large(result.lowered, result.definition.params) &&
                        fits_halves(result.features, device->info());
      if (fits) {
        cases.push_back(std::move(result));
      } else {
        seeds.pop_back();
      }
    }
    const auto differences = run_on_device(*device, llvm_ir::LlvmBackend(), cases);
    for (std::size_t c = 0; c < differences.size(); ++c) {
      if (!differences[c].empty()) FAIL_CHECK(differences[c] << "\n" << describe(seeds[c], cases[c]));
    }
    accepted += static_cast<int>(cases.size());
  }
  fmt::print("fuzz: {} cases on {}\n", accepted, device->info().name);
  if (!settings.seed) CHECK(accepted == settings.host_cases);
}

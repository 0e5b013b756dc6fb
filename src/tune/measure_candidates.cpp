#include "tune/measure_candidates.h"

#include <algorithm>

#include "base/run_in_parallel.h"
#include "tensordsl/error.h"
#include "tensordsl/runner.h"
#include "tune/check_candidate.h"
#include "tune/operand_values.h"

namespace tensordsl::tune {
namespace {

double microseconds_of(Runner& runner) {
  double sum = 0;
  for (const std::int64_t nanoseconds : runner.run_timed()) sum += static_cast<double>(nanoseconds) * 1e-3;
  return sum;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Short kernels are timed more often. What takes so long is timed less.
int rounds_for(double us) {
  constexpr double kBudget = 1e5;
  constexpr int kFewest = 5, kMost = 21;
  return std::clamp(static_cast<int>(kBudget / std::max(us, 1.0)), kFewest, kMost);
}

/// Drivers take longer over a kernel than the kernel does: all cores build. Null for one that fails, and for
/// no program.
std::vector<std::unique_ptr<Runner>> build_runners(
    const std::vector<std::shared_ptr<const Program>>& programs, Device& device,
    std::vector<Measured>& results) {
  std::vector<std::unique_ptr<Runner>> runners(programs.size());
  run_in_parallel(static_cast<int>(programs.size()), [&](int job) {
    const auto i = static_cast<std::size_t>(job);
    if (!programs[i]) return;
    try {
      runners[i] = std::make_unique<Runner>(programs[i], device, likely_params(*programs[i]));
    } catch (const Error& error) {
      results[i].failure = error.what();
    }
  });
  return runners;
}

}  // namespace

std::vector<Measured> measure_candidates(const Group& group,
                                         const std::vector<std::shared_ptr<const Program>>& programs,
                                         Device& device) {
  std::vector<Measured> results(programs.size());
  std::vector<std::unique_ptr<Runner>> runners = build_runners(programs, device, results);
  std::optional<Reference> reference;
  std::map<std::string, Buffer> values;
  double slowest = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!runners[i]) continue;
    try {
      const ParamValues params = likely_params(*programs[i]);
      if (!reference) {
        values = operand_values(*programs[i], params);
        reference.emplace(group, values, params);
      }
      runners[i]->write_all(values);
      runners[i]->run();
      results[i].failure = reference->check(runners[i]->read_all());
      if (results[i].failure.empty()) slowest = std::max(slowest, microseconds_of(*runners[i]));
    } catch (const Error& error) {
      results[i].failure = error.what();
    }
    if (!results[i].failure.empty()) runners[i].reset();
  }
  std::vector<std::vector<double>> times(programs.size());
  for (int round = rounds_for(slowest); round > 0; --round) {
    for (std::size_t i = 0; i < runners.size(); ++i) {
      if (runners[i]) times[i].push_back(microseconds_of(*runners[i]));
    }
  }
  for (std::size_t i = 0; i < runners.size(); ++i) {
    if (runners[i]) results[i].us = median(times[i]);
  }
  return results;
}

}  // namespace tensordsl::tune

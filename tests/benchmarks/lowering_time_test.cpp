// Lowering and emitting one kernel takes well under 20 ms, so that a tuner can do it for every candidate.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "apps/benchmarks/kernels.h"

namespace tensordsl::benchmarks {
namespace {

/// Median milliseconds per kernel of a pipeline, in processor time: other tests may run beside this one.
double lowering_ms(const Func& output) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const std::clock_t start = std::clock();
    const std::size_t kernels = Pipeline(output).compile().kernels.size();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    times.push_back(seconds * 1e3 / static_cast<double>(kernels));
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

}  // namespace

TEST_CASE("lowering is fast: each kernel takes under 20 ms") {
  struct Case {
    const char* name;
    Func (*make)();
  };
  for (const Case& c :
       {Case{"conv3x3", conv3x3}, {"matmul", matmul}, {"depthwise", depthwise}, {"softmax", softmax}}) {
    const double ms = lowering_ms(c.make());
    MESSAGE(std::string(c.name), ": ", ms, " ms per kernel");
    CHECK_MESSAGE(ms < 20, std::string(c.name));
  }
}

}  // namespace tensordsl::benchmarks

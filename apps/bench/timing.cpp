#include "apps/bench/timing.h"

#include <algorithm>
#include <numeric>

namespace tensordsl::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double seconds_of(Runner& pipeline, int runs) {
  const auto once = [&] {
    const auto nanoseconds = pipeline.run_timed();
    return static_cast<double>(std::accumulate(nanoseconds.begin(), nanoseconds.end(), std::int64_t{0})) *
           1e-9;
  };
  once();
  double total = once();
  std::vector<double> times;
  while (static_cast<int>(times.size()) < runs || total < 0.3) {
    times.push_back(once());
    total += times.back();
  }
  return median(std::move(times));
}

Buffer test_data(std::vector<std::int64_t> shape, int seed) {
  Buffer buffer(Float(32), std::move(shape));
  std::uint32_t state = 2463534242U + static_cast<std::uint32_t>(seed) * 7919U;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    state ^= state << 13;  // xorshift32, Marsaglia 2003
    state ^= state >> 17;
    state ^= state << 5;
    buffer.set(i, static_cast<double>(state >> 8) / (1 << 24) - 0.5);
  }
  return buffer;
}

}  // namespace tensordsl::bench

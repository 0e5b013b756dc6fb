// The program of docs/tutorials/FAST_CONVOLUTION.md: compares the result of each step with the formula, and
// times the step.
//
//   fast_convolution          on the default device
//   fast_convolution --check  compares, and does not time
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "apps/tutorials/convolution_steps.h"

using namespace tensordsl;

namespace {

Buffer some_values(const std::vector<std::int64_t>& shape, int seed) {
  Buffer values(Float(32), shape);
  for (std::int64_t i = 0; i < values.elements(); ++i)
    values.set(i, static_cast<double>((i * 37 + seed * 11) % 101) / 50 - 1);
  return values;
}

/// One element, by the formula.
double expected(const std::map<std::string, Buffer>& inputs, int y, int x, int c) {
  double sum = inputs.at("bias").get(c);
  for (int ky = 0; ky < 3; ++ky) {
    for (int kx = 0; kx < 3; ++kx) {
      const int row = y + ky - 1, column = x + kx - 1;
      if (row < 0 || row >= kSize || column < 0 || column >= kSize) continue;
      for (int i = 0; i < kChannels; ++i)
        sum += inputs.at("image").get((row * kSize + column) * kChannels + i) *
               inputs.at("weights").get(((c * 3 + ky) * 3 + kx) * kChannels + i);
    }
  }
  return std::max(sum, 0.0);
}

/// The largest difference of some hundred elements, borders among them.
double difference(const Buffer& result, const std::map<std::string, Buffer>& inputs) {
  double most = 0;
  for (int y = 0; y < kSize; y += 11) {
    for (int x = 0; x < kSize; x += 5) {
      for (int c = 0; c < kChannels; c += 9)
        most =
            std::max(most, std::abs(result.get((y * kSize + x) * kChannels + c) - expected(inputs, y, x, c)));
    }
  }
  return most;
}

/// Milliseconds of a run: the median of several.
double milliseconds(Runner& runner) {
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const auto start = std::chrono::steady_clock::now();
    runner.run();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) try {
  const bool only_checks = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const std::map<std::string, Buffer> inputs{{"image", some_values({kSize, kSize, kChannels}, 1)},
                                             {"weights", some_values({kChannels, 3, 3, kChannels}, 2)},
                                             {"bias", some_values({kChannels}, 3)}};
  const std::shared_ptr<Device> device = Device::open();
  constexpr double kFlops = 2.0 * kSize * kSize * kChannels * kChannels * 9;
  std::printf("%s\n", device->info().name.c_str());
  double before = 0, first = 0;
  for (const ConvolutionStep& step : convolution_steps()) {
    const std::unique_ptr<Runner> runner = Pipeline(step.out).prepare(*device);
    runner->write_all(inputs);
    runner->run();
    if (const double most = difference(runner->read(), inputs); most > 1e-3) {
      std::printf("%s: an element is wrong by %g\n", step.name.c_str(), most);
      return 1;
    }
    if (only_checks) continue;
    const double now = milliseconds(*runner);
    if (first == 0) first = before = now;
    std::printf("%-10s %9.2f ms %8.1f GFLOPS  %5.1f times the step before, %6.1f times the first\n",
                step.name.c_str(), now, kFlops / now / 1e6, before / now, first / now);
    before = now;
  }
  std::printf("the results of all steps agree with the formula\n");
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

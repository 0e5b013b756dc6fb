#include <fmt/format.h>

#include <cmath>

#include "apps/bench/benchmark.h"
#include "apps/bench/convolution_peers.h"
#include "apps/bench/timing.h"
#include "apps/examples/conv3x3.h"
#include "apps/support/fma_peak.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

constexpr int kChannels = 256, kSize = 56;

double reference(std::span<const float> in, std::span<const float> weights, int c, int y, int x) {
  double sum = 0;
  for (int i = 0; i < kChannels; ++i) {
    for (int ky = 0; ky < 3; ++ky) {
      for (int kx = 0; kx < 3; ++kx) {
        const int v = y + ky - 1, u = x + kx - 1;
        if (v < 0 || v >= kSize || u < 0 || u >= kSize) continue;
        sum +=
            static_cast<double>(in[static_cast<std::size_t>((i * kSize + v) * kSize + u)]) *
            static_cast<double>(weights[static_cast<std::size_t>(((c * kChannels + i) * 3 + ky) * 3 + kx)]);
      }
    }
  }
  return sum;
}

/// Every pixel in four channels, so that every channel and the whole border are met.
void check(const Buffer& in, const Buffer& weights, const Buffer& out) {
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      for (int s = 0; s < 4; ++s) {
        const int c = ((y * kSize + x) * 5 + s * 67) % kChannels;
        const double expected = reference(in.as<float>(), weights.as<float>(), c, y, x);
        const double found = out.get((static_cast<std::int64_t>(c) * kSize + y) * kSize + x);
        if (std::abs(expected - found) <= 5e-3) continue;
        throw Error(
            fmt::format("conv3x3_256x56: out[{}, {}, {}] is {}, expected {}", c, y, x, found, expected));
      }
    }
  }
}

}  // namespace

Result conv3x3_256x56(const Context& context) {
  const int vector = std::max(4, context.device.info().native_vector_width_float);
  const auto pipeline = Pipeline(conv3x3_packed(kChannels, kSize, vector)).prepare(context.device);
  const Buffer in = test_data({kChannels, kSize, kSize}, 1),
               weights = test_data({kChannels, kChannels, 3, 3}, 2);
  pipeline->write("in", in);
  pipeline->write("weights", weights);
  pipeline->run();
  check(in, weights, pipeline->read());
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  const double flops = 2.0 * kChannels * kSize * kSize * kChannels * 9;
  Result result{flops / seconds_of(*pipeline) * 1e-9, "GFLOPS", std::max(before, peak.measure()), true};
  if (context.peers)
    result.peers = convolution_peers(in, weights, [&](const Buffer& out) { check(in, weights, out); });
  return result;
}

}  // namespace tensordsl::bench

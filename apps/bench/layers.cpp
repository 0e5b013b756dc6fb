#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/bench/benchmark.h"
#include "apps/bench/convolution_graph.h"
#include "apps/bench/convolution_peers.h"
#include "apps/bench/timing.h"
#include "apps/support/fma_peak.h"
#include "graph/compile_graph.h"
#include "model/compile_options.h"
#include "onnx/define_graph.h"
#include "tensordsl/error.h"
#include "tensordsl/runner.h"

namespace tensordsl::bench {
namespace {

double reference(const ConvolutionShape& shape, std::span<const float> in, std::span<const float> weights,
                 std::int64_t c, std::int64_t y, std::int64_t x) {
  double sum = 0;
  for (std::int64_t i = 0; i < shape.inputs; ++i) {
    for (std::int64_t ky = 0; ky < shape.kernel; ++ky) {
      for (std::int64_t kx = 0; kx < shape.kernel; ++kx) {
        const std::int64_t v = y + ky - shape.kernel / 2, u = x + kx - shape.kernel / 2;
        if (v < 0 || v >= shape.size || u < 0 || u >= shape.size) continue;
        const std::int64_t tap = ((c * shape.inputs + i) * shape.kernel + ky) * shape.kernel + kx;
        sum += static_cast<double>(in[static_cast<std::size_t>((i * shape.size + v) * shape.size + u)]) *
               static_cast<double>(weights[static_cast<std::size_t>(tap)]);
      }
    }
  }
  return sum;
}

/// Every pixel in two channels, so that every channel and the whole border are met.
void check(const ConvolutionShape& shape, const Buffer& in, const Buffer& weights, const Buffer& out) {
  for (std::int64_t y = 0; y < shape.size; ++y) {
    for (std::int64_t x = 0; x < shape.size; ++x) {
      for (std::int64_t s = 0; s < 2; ++s) {
        const std::int64_t c = ((y * shape.size + x) * 5 + s * 37) % shape.outputs;
        const double expected = reference(shape, in.as<float>(), weights.as<float>(), c, y, x);
        const double found = out.get((c * shape.size + y) * shape.size + x);
        if (std::abs(expected - found) <= 1e-2) continue;
        throw Error(fmt::format("convolution: out[{}, {}, {}] is {}, expected {}", c, y, x, found, expected));
      }
    }
  }
}

}  // namespace

Result convolution_layer(const ConvolutionShape& shape, const Context& context) {
  CompileTarget target;
  target.device = context.device.info();
  const Buffer in = test_data({1, shape.inputs, shape.size, shape.size}, 1),
               weights = test_data({shape.outputs, shape.inputs, shape.kernel, shape.kernel}, 2);
  const auto program = std::make_shared<const Program>(compile_graph(
      define_graph(convolution_graph(shape, weights, BeforeConvolution::Nothing)), options_of(target)));
  Runner runner(program, context.device);
  runner.write("x", in);
  runner.run();
  check(shape, in, weights, runner.read());
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  Result result{shape.flops() / seconds_of(runner) * 1e-9, "GFLOPS", std::max(before, peak.measure()), true};
  if (context.peers)
    result.peers = convolution_peers(in, weights, [&](const Buffer& out) { check(shape, in, weights, out); });
  return result;
}

}  // namespace tensordsl::bench

#include <algorithm>

#include "apps/bench/benchmark.h"
#include "apps/bench/convolution/convolution_graph.h"
#include "apps/bench/convolution/convolution_peers.h"
#include "apps/bench/convolution/convolution_reference.h"
#include "apps/bench/timing.h"
#include "apps/support/fma_peak.h"
#include "graph/compile_graph.h"
#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "tensordsl/runner.h"

namespace tensordsl::bench {

Result convolution_layer(const ConvolutionShape& shape, const Context& context) {
  CompileTarget target;
  target.device = context.device.info();
  const Buffer in = test_data({1, shape.inputs, shape.size, shape.size}, 1),
               weights = test_data({shape.outputs, shape.inputs, shape.kernel, shape.kernel}, 2);
  const auto program = std::make_shared<const Program>(graph::compile_graph(
      define_graph(convolution_graph(shape, weights, BeforeConvolution::Nothing)), options_of(target)));
  Runner runner(program, context.device);
  runner.write("x", in);
  runner.run();
  check_convolution(shape, in, weights, runner.read());
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  Result result{shape.flops() / seconds_of(runner) * 1e-9, "GFLOPS", std::max(before, peak.measure()), true};
  if (context.peers)
    result.peers = convolution_peers(in, weights,
                                     [&](const Buffer& out) { check_convolution(shape, in, weights, out); });
  return result;
}

}  // namespace tensordsl::bench

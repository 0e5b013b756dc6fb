#include <algorithm>
#include <string>

#include "apps/bench/benchmark.h"
#include "apps/bench/convolution/convolution_peers.h"
#include "apps/bench/convolution/convolution_reference.h"
#include "apps/bench/timing.h"
#include "apps/support/fma_peak.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {
namespace {

constexpr int kImageChannels = 256, kImageSize = 56;

constexpr ConvolutionShape kShape{kImageSize, kImageChannels, kImageChannels, 3, 1};

/// A padded 3x3 convolution for a CPU, f32, channels last, weights packed:
/// [channels, size, size] -> [channels, size, size]: 6 pixels x 2 vectors of output channels in registers.
Func conv3x3_packed(int channels, int size, int vector) {
  const Var c("c"), y("y"), x("x"), co("co"), ct("ct"), cg("cg"), cv("cv"), xo("xo"), xi("xi"), b0("b0"),
      b1("b1"), b2("b2");
  Input in("in", Float(32), {channels, size, size}, {"c", "y", "x"});
  Input weights("weights", Float(32), {channels, channels, 3, 3}, {"o", "i", "ky", "kx"});
  const RDom r({{0, 3}, {0, 3}, {0, channels}}, "r");
  Func padded = BoundaryConditions::zero(in, {Expr(), size, size});
  Func conv("conv"), out("out");
  conv(c, y, x) += padded(r[2], y + r[0] - 1, x + r[1] - 1) * weights(c, r[2], r[0], r[1]);
  out(c, y, x) = conv(c, y, x);

  const std::string block = std::to_string(2 * vector);
  in.layout("y x c");
  weights.layout("o/" + block + " ky kx i o%" + block);
  padded.compute_root().layout("b1 b2 b0").reorder({b1, b2, b0}).vectorize(b0, vector).gpu_blocks(b1);
  out.bound({channels, size, size}).layout("y x c");
  out.split(c, co, ct, 2 * vector)
      .split(ct, cg, cv, vector)
      .split(x, xo, xi, 6, size < 6 ? Tail::Guard : Tail::ShiftInwards);
  out.reorder({co, y, xo, xi, cg, cv}).vectorize(cv).unroll(cg).unroll(xi).gpu_blocks(xo, y, co);
  conv.compute_at(out, xo)
      .split(c, cg, cv, vector)
      .reorder({y, x, cg, cv})
      .vectorize(cv)
      .unroll(cg)
      .unroll(x);
  conv.update()
      .split(c, cg, cv, vector)
      .reorder({y, r[0], r[1], r[2], x, cg, cv})
      .vectorize(cv)
      .unroll(cg)
      .unroll(x);
  return out;
}

}  // namespace

Result conv3x3_256x56(const Context& context) {
  const int vector = std::max(4, context.device.info().native_vector_width_float);
  const auto pipeline = Pipeline(conv3x3_packed(kImageChannels, kImageSize, vector)).prepare(context.device);
  const Buffer in = test_data({kImageChannels, kImageSize, kImageSize}, 1),
               weights = test_data({kImageChannels, kImageChannels, 3, 3}, 2);
  pipeline->write("in", in);
  pipeline->write("weights", weights);
  pipeline->run();
  check_convolution(kShape, in, weights, pipeline->read());
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  Result result{kShape.flops() / seconds_of(*pipeline) * 1e-9, "GFLOPS", std::max(before, peak.measure()),
                true};
  if (context.peers)
    result.peers = convolution_peers(in, weights,
                                     [&](const Buffer& out) { check_convolution(kShape, in, weights, out); });
  return result;
}

}  // namespace tensordsl::bench

#include <algorithm>

#include "apps/bench/benchmark.h"
#include "apps/bench/convolution_peers.h"
#include "apps/bench/convolution_reference.h"
#include "apps/bench/timing.h"
#include "apps/examples/conv3x3.h"
#include "apps/support/fma_peak.h"

namespace tensordsl::bench {
namespace {

constexpr int kImageChannels = 256, kImageSize = 56;

constexpr ConvolutionShape kShape{kImageSize, kImageChannels, kImageChannels, 3, 1};

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

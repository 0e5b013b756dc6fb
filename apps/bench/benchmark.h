// The interface of a benchmark: its context and its result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/bench/convolution/convolution_shape.h"
#include "apps/examples/matmul.h"
#include "tensordsl/device.h"

namespace tensordsl::bench {

struct Context {
  Device& device;
  bool peers = false;  ///< true: also run the peer libraries that are installed
};

/// Another library that does equal work, for comparison.
struct Peer {
  std::string name;
  double value = 0;
};

struct Result {
  double value = 0;
  std::string unit;
  std::optional<double> fma_peak_gflops;
  bool checked = false;  ///< the result was compared with the reference before it was timed
  std::vector<Peer> peers = {};
};

struct Benchmark {
  const char* name;
  const char* what;
  Result (*run)(const Context&);
};

/// Square matrices, f32: GFLOPS. CPUs have a schedule of their own, whatever the tiles.
template <int Size, LocalTiles Tiles>
Result sgemm(const Context& context);
extern template Result sgemm<512, LocalTiles::Adjacent>(const Context&);
extern template Result sgemm<1024, LocalTiles::Adjacent>(const Context&);
extern template Result sgemm<2048, LocalTiles::Adjacent>(const Context&);
extern template Result sgemm<4096, LocalTiles::Adjacent>(const Context&);
extern template Result sgemm<2048, LocalTiles::Interleaved>(const Context&);
extern template Result sgemm<4096, LocalTiles::Interleaved>(const Context&);
extern template Result sgemm<2048, LocalTiles::Swizzled>(const Context&);
extern template Result sgemm<4096, LocalTiles::Swizzled>(const Context&);
/// 256 -> 256 channels, 56x56 pixels, 3x3, padded, f32: GFLOPS.
Result conv3x3_256x56(const Context& context);
/// Measures a convolution of a model with the schedule that is chosen without a trial, in GFLOPS of its
/// definition. Throws Error in a build without ONNX.
Result convolution_layer(const ConvolutionShape& shape, const Context& context);
template <int Size, int Inputs, int Outputs, int Kernel>
Result layer(const Context& context) {
  return convolution_layer({Size, Inputs, Outputs, Kernel, 1}, context);
}
/// Measures lowering, from the definition with its schedule to OpenCL C, as a tuner does it for every
/// candidate: milliseconds.
Result lowering_sgemm(const Context& context);
Result lowering_conv3x3(const Context& context);
Result lowering_matmul(const Context& context);
Result lowering_depthwise(const Context& context);
Result lowering_softmax(const Context& context);

}  // namespace tensordsl::bench

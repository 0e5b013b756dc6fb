#include "apps/bench/benchmark.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

Result convolution_layer(const ConvolutionShape&, const Context&) {
  throw Error("this benchmark needs a build with TENSORDSL_ONNX=ON");
}

}  // namespace tensordsl::bench

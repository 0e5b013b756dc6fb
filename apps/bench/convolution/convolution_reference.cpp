#include "apps/bench/convolution/convolution_reference.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "tensordsl/error.h"

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

}  // namespace

void check_convolution(const ConvolutionShape& shape, const Buffer& in, const Buffer& weights,
                       const Buffer& out) {
  for (std::int64_t y = 0; y < shape.size; ++y) {
    for (std::int64_t x = 0; x < shape.size; ++x) {
      for (std::int64_t s = 0; s < 4; ++s) {
        const std::int64_t c = ((y * shape.size + x) * 5 + s * 67) % shape.outputs;
        const double expected = reference(shape, in.as<float>(), weights.as<float>(), c, y, x);
        const double found = out.get((c * shape.size + y) * shape.size + x);
        if (std::abs(expected - found) <= 5e-3) continue;
        throw Error(fmt::format("convolution: out[{}, {}, {}] is {}, expected {}", c, y, x, found, expected));
      }
    }
  }
}

}  // namespace tensordsl::bench

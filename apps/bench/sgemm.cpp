#include <fmt/format.h>

#include <cmath>

#include "apps/bench/benchmark.h"
#include "apps/bench/peers.h"
#include "apps/bench/timing.h"
#include "apps/examples/matmul.h"
#include "apps/support/fma_peak.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// 64 elements of every row, so that every row and every column is met, summed in double.
void check_product(const Buffer& a, const Buffer& b, const Buffer& c, int size) {
  const auto A = a.as<float>(), B = b.as<float>(), C = c.as<float>();
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t s = 0; s < 64; ++s) {
      const std::size_t j = (i + s * (n / 64)) % n;
      double expected = 0;
      for (std::size_t k = 0; k < n; ++k)
        expected += static_cast<double>(A[i * n + k]) * static_cast<double>(B[k * n + j]);
      // n products of up to 1/4, each sum rounded to 24 bits.
      if (std::abs(expected - static_cast<double>(C[i * n + j])) <= 2e-6 * static_cast<double>(n)) continue;
      throw Error(fmt::format("sgemm_{}: C[{}, {}] is {}, expected {}", size, i, j, C[i * n + j], expected));
    }
  }
}

}  // namespace

template <int Size, LocalTiles Tiles>
Result sgemm(const Context& context) {
  const DeviceInfo& device = context.device.info();
  const Func product = device.is_cpu ? matmul_packed(Size, Size, Size, device.native_vector_width_float)
                                     : matmul_local(Size, Size, Size, Tiles);
  const auto pipeline = Pipeline(product).prepare(context.device);
  const Buffer a = test_data({Size, Size}, 1), b = test_data({Size, Size}, 2);
  pipeline->write("A", a);
  pipeline->write("B", b);
  pipeline->run();
  check_product(a, b, pipeline->read(), Size);
  apps::FmaPeak peak(context.device);
  const double before = peak.measure();
  const double flops = 2.0 * Size * Size * Size;
  Result result{flops / seconds_of(*pipeline) * 1e-9, "GFLOPS", std::max(before, peak.measure()), true};
  if (context.peers) result.peers = sgemm_peers(device, a, b, Size);
  return result;
}

template Result sgemm<512, LocalTiles::Adjacent>(const Context&);
template Result sgemm<1024, LocalTiles::Adjacent>(const Context&);
template Result sgemm<2048, LocalTiles::Adjacent>(const Context&);
template Result sgemm<4096, LocalTiles::Adjacent>(const Context&);
template Result sgemm<2048, LocalTiles::Interleaved>(const Context&);
template Result sgemm<4096, LocalTiles::Interleaved>(const Context&);
template Result sgemm<2048, LocalTiles::Swizzled>(const Context&);
template Result sgemm<4096, LocalTiles::Swizzled>(const Context&);

}  // namespace tensordsl::bench

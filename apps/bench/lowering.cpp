#include <chrono>

#include "apps/bench/benchmark.h"
#include "apps/bench/timing.h"
#include "apps/examples/matmul.h"
#include "runtime/interpreter.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// The same definition and schedule at a size that the interpreter computes at once.
bool is_right(Device& device) {
  constexpr int kSize = 32;
  const Func product = matmul_packed(kSize, kSize, kSize, 8);
  const Buffer a = test_data({kSize, kSize}, 1), b = test_data({kSize, kSize}, 2);
  const Buffer found = Pipeline(product).realize({{"A", a}, {"B", b}}, device);
  const Buffer expected = interpret(product.shared(), {kSize, kSize}, {{{"A", a}, {"B", b}}, {}});
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    if (std::abs(found.get(i) - expected.get(i)) > 1e-4)
      throw Error("lowering_sgemm: the kernel's result differs from the interpreter's");
  }
  return true;
}

}  // namespace

Result lowering_sgemm(const Context& context) {
  const bool checked = is_right(context.device);
  std::vector<double> times;
  for (int run = 0; run < 51; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const Func product = matmul_packed(1024, 1024, 1024, 8);
    const CompiledPipeline compiled = Pipeline(product).compile();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (compiled.kernels.size() != 2) throw Error("lowering_sgemm: expected two kernels");
  }
  return {median(std::move(times)), "ms", std::nullopt, checked};
}

}  // namespace tensordsl::bench

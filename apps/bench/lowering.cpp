#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "apps/bench/benchmark.h"
#include "apps/bench/lowering_kernels.h"
#include "apps/bench/timing.h"
#include "apps/examples/matmul.h"
#include "ir/nodes/expr_node.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

std::map<std::string, Buffer> inputs_of_func(const Func& output) {
  std::map<std::string, Buffer> inputs;
  for (const ir::FunctionPtr& f : ir::reachable(output.shared())) {
    if (!f->is_input()) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : f->shape) shape.push_back(*ir::as_int(extent));
    inputs.emplace(f->name, test_data(shape, static_cast<int>(inputs.size())));
  }
  return inputs;
}

/// Compares the device's result with the interpreter's.
void check_kernel(const std::string& kernel, const Func& output, const std::vector<std::int64_t>& shape,
                  Device& device) {
  const auto inputs = inputs_of_func(output);
  const Buffer found = Pipeline(output).realize(inputs, device);
  const Buffer expected = runtime::interpret(output.shared(), shape, {inputs, {}});
  for (std::int64_t i = 0; i < found.elements(); ++i) {
    if (std::abs(found.get(i) - expected.get(i)) > 1e-4)
      throw Error(fmt::format("{}: the kernel's result differs from the interpreter's", kernel));
  }
}

/// Times the lowering of a kernel that was checked at a size that the interpreter computes at once.
Result time_of(const std::function<Func()>& make) {
  std::vector<double> times;
  for (int run = 0; run < 51; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const Program compiled = Pipeline(make()).compile();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return {median(std::move(times)), "ms", std::nullopt, true};
}

}  // namespace

Result lowering_sgemm(const Context& context) {
  check_kernel("lowering_sgemm", matmul_packed(32, 32, 32, 8), {32, 32}, context.device);
  return time_of([] { return matmul_packed(1024, 1024, 1024, 8); });
}

Result lowering_conv3x3(const Context& context) {
  check_kernel("lowering_conv3x3", benchmarks::conv3x3(8, 32), {1, 32, 8, 8}, context.device);
  return time_of([] { return benchmarks::conv3x3(); });
}

Result lowering_matmul(const Context& context) {
  check_kernel("lowering_matmul", benchmarks::matmul(32), {32, 32}, context.device);
  return time_of([] { return benchmarks::matmul(); });
}

Result lowering_depthwise(const Context& context) {
  check_kernel("lowering_depthwise", benchmarks::depthwise(8, 32), {1, 32, 8, 8}, context.device);
  return time_of([] { return benchmarks::depthwise(); });
}

Result lowering_softmax(const Context& context) {
  check_kernel("lowering_softmax", benchmarks::softmax(16, 128), {16, 128}, context.device);
  return time_of([] { return benchmarks::softmax(); });
}

}  // namespace tensordsl::bench

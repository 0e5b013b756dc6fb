// How long it takes from a scheduled definition to OpenCL text: the tuner does it for every candidate.
#include <benchmark/benchmark.h>

#include "apps/benchmarks/kernels.h"

namespace {

using tensordsl::Func;

void lower_and_emit(benchmark::State& state, Func (*make)()) {
  const Func output = make();
  std::size_t kernels = 0;
  for (auto _ : state) kernels = tensordsl::Pipeline(output).compile().kernels.size();
  state.counters["kernels"] = static_cast<double>(kernels);
}

}  // namespace

BENCHMARK_CAPTURE(lower_and_emit, conv3x3, tensordsl::benchmarks::conv3x3)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lower_and_emit, matmul, tensordsl::benchmarks::matmul)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lower_and_emit, depthwise, tensordsl::benchmarks::depthwise)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lower_and_emit, softmax, tensordsl::benchmarks::softmax)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();

// A tuner lowers and emits a kernel for every candidate, so this must be little work, and near-linear in the
// size of the kernel. The work is the number of nodes that the compiler builds and visits: the same on every
// machine, and whatever else runs there. tensordsl-bench has the times.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "apps/bench/lowering_kernels.h"
#include "backends/opencl/emit/emit_opencl.h"
#include "ir/nodes/work_counter.h"
#include "lower/lower.h"
#include "schedule/func_schedule.h"

namespace tensordsl::benchmarks {
namespace {

/// Thousands of nodes, from the scheduled definitions to OpenCL text.
double work_of(const Func& output) {
  const ir::WorkCounter counter;
  std::set<std::string> entries;
  for (const lower::LoweredKernel& kernel : lower::lower(output.shared()).kernels)
    entries.insert(opencl::emit(kernel, entries).entry);
  return static_cast<double>(counter.nodes()) / 1e3;
}

/// `works` are those of a program of a size, of twice that size, and so on.
void check_growth(const std::vector<double>& works) {
  constexpr double kMostPerDoubling = 2.3;
  for (std::size_t i = 1; i < works.size(); ++i) {
    MESSAGE(works[i - 1], " -> ", works[i], " thousand nodes: ", works[i] / works[i - 1]);
    CHECK(works[i] <= kMostPerDoubling * works[i - 1]);
  }
}

}  // namespace

TEST_CASE("lowering is fast: each kernel takes at most so many thousands of nodes") {
  struct Case {
    const char* name;
    Func kernel;
    double budget;
  };
  for (const Case& c : std::vector<Case>{{"conv3x3", conv3x3(), 60},
                                         {"matmul", matmul(), 25},
                                         {"depthwise", depthwise(), 115},
                                         {"softmax", softmax(), 15},
                                         {"unrolled_stencil(4096)", unrolled_stencil(4096), 1200},
                                         {"chained_stencils(80)", chained_stencils(80), 350},
                                         {"chained_kernels(80)", chained_kernels(80), 160},
                                         {"scalar_tile(64, 64)", scalar_tile(64, 64), 3200},
                                         {"unrolled_product(16)", unrolled_product(16), 135}}) {
    const double work = work_of(c.kernel);
    MESSAGE(std::string(c.name), ": ", work);
    CHECK_MESSAGE(work <= c.budget, std::string(c.name));
  }
}

TEST_CASE("lowering is fast: twice the statements take at most 2.3 times the work") {
  check_growth(
      {work_of(unrolled_stencil(1024)), work_of(unrolled_stencil(2048)), work_of(unrolled_stencil(4096))});
}

TEST_CASE("lowering is fast: twice the stages of a kernel take at most 2.3 times the work") {
  check_growth({work_of(chained_stencils(20)), work_of(chained_stencils(40)), work_of(chained_stencils(80))});
}

TEST_CASE("lowering is fast: twice the kernels take at most 2.3 times the work") {
  check_growth({work_of(chained_kernels(20)), work_of(chained_kernels(40)), work_of(chained_kernels(80))});
}

TEST_CASE("lowering is fast: twice the scalars of a register tile take at most 2.3 times the work") {
  check_growth({work_of(scalar_tile(32, 32)), work_of(scalar_tile(32, 64)), work_of(scalar_tile(64, 64))});
}

TEST_CASE("lowering is fast: twice the nested selects take at most 2.3 times the work") {
  // The first ones cost more than the others: the simplifier distinguishes 16 branches.
  check_growth({work_of(nested_selects(140)), work_of(nested_selects(280))});
}

TEST_CASE("lowering is fast: twice the dependent loads take at most 2.3 times the work") {
  check_growth({work_of(chained_gathers(16)), work_of(chained_gathers(32)), work_of(chained_gathers(64))});
}

TEST_CASE("lowering is fast: twice the unrolling takes at most 2.3 times the work") {
  check_growth({work_of(unrolled_product(4)), work_of(unrolled_product(8)), work_of(unrolled_product(16))});
}

}  // namespace tensordsl::benchmarks

// Lowering and emitting one kernel takes well under 20 ms, so that a tuner can do it for every candidate.
#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "apps/bench/lowering_kernels.h"

namespace tensordsl::benchmarks {
namespace {

/// Median milliseconds per kernel of a pipeline, in processor time: other tests may run beside this one.
double lowering_ms(const Func& output) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i) {
    const std::clock_t start = std::clock();
    const std::size_t kernels = Pipeline(output).compile().kernels.size();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    times.push_back(seconds * 1e3 / static_cast<double>(kernels));
  }
  std::nth_element(times.begin(), times.begin() + 7, times.end());
  return times[7];
}

/// A tile of 6 rows x 2 vectors of a matrix product, whose reduction is unrolled by `factor`.
Func unrolled_product(int factor) {
  const Var i("i"), j("j"), io("io"), ii("ii"), jo("jo"), jt("jt"), ji("ji"), jv("jv"), ko("ko"), ki("ki");
  const Input a("a", Float(32), {1024, 1024}), b("b", Float(32), {1024, 1024});
  const RDom r({{0, 1024}}, "r");
  Func product("product"), out("out");
  product(i, j) += a(i, r) * b(r, j);
  out(i, j) = product(i, j);
  out.bound({1024, 1024}).split(i, io, ii, 6, Tail::ShiftInwards).split(j, jo, jt, 16).split(jt, ji, jv, 8);
  out.reorder({jo, io, ii, ji, jv}).vectorize(jv).unroll(ji).unroll(ii).gpu_blocks(io, jo);
  product.compute_at(out, io).split(j, ji, jv, 8).vectorize(jv).unroll(ji).unroll(i);
  product.update().split(j, ji, jv, 8).split(r[0], ko, ki, factor).reorder({ko, ki, i, ji, jv});
  product.update().vectorize(jv).unroll(ji).unroll(i).unroll(ki);
  return out;
}

}  // namespace

TEST_CASE("lowering is fast: 16 times the unrolling takes at most 20 times as long") {
  const double once = lowering_ms(unrolled_product(1)), often = lowering_ms(unrolled_product(16));
  MESSAGE("unrolled by 1: ", once, " ms, by 16: ", often, " ms");
  CHECK(often < 20 * once);
}

TEST_CASE("lowering is fast: each kernel takes under 20 ms") {
  struct Case {
    const char* name;
    Func (*make)();
  };
  for (const Case& c : {Case{"conv3x3", [] { return conv3x3(); }},
                        {"matmul", [] { return matmul(); }},
                        {"depthwise", [] { return depthwise(); }},
                        {"softmax", [] { return softmax(); }}}) {
    const double ms = lowering_ms(c.make());
    MESSAGE(std::string(c.name), ": ", ms, " ms per kernel");
    CHECK_MESSAGE(ms < 20, std::string(c.name));
  }
}

}  // namespace tensordsl::benchmarks

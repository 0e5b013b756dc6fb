// Softmax over rows, one work-group to a row: the exponentials are computed once, into local memory.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("softmax", argc, argv);
  constexpr int kRows = 7, kColumns = 130;
  const Var y("y"), x("x"), xo("xo"), xi("xi");
  const Input in("in", Float(32), {kRows, kColumns}, {"y", "x"});
  const RDom r({{0, kColumns}}, "r");
  Func highest("highest"), exponent("exponent"), sum("sum"), out("softmax");
  highest(y).maximize(in(y, r));
  exponent(y, x) = exp(in(y, x) - highest(y));
  sum(y) += exponent(y, r);
  out(y, x) = exponent(y, x) / sum(y);

  out.bound({kRows, kColumns});
  if (example.by_hand()) {
    out.split(x, xo, xi, 32).gpu_blocks(y).gpu_threads(xi);
    sum.compute_at(out, y).store_in(Local);
    exponent.compute_at(out, y).store_in(Local).split(x, xo, xi, 32).gpu_threads(xi);
    highest.compute_at(out, y).store_in(Local);
  }

  const Buffer rows = example_data({kRows, kColumns}, 2);
  return example.check(out, {{"in", rows}}, [&](std::int64_t i) {
    const std::int64_t first = i / kColumns * kColumns;
    double total = 0;
    for (int k = 0; k < kColumns; ++k) total += std::exp(rows.get(first + k));
    return std::exp(rows.get(i)) / total;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

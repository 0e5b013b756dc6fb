// Layer normalization over rows: mean and variance by one work-group to a row, then scaled and shifted.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("layer_norm", argc, argv);
  constexpr int kRows = 5, kColumns = 96;
  const Var y("y"), x("x"), xo("xo"), xi("xi");
  const Input in("in", Float(32), {kRows, kColumns}, {"y", "x"}), scale("scale", Float(32), {kColumns}),
      shift("shift", Float(32), {kColumns});
  const RDom r({{0, kColumns}}, "r");
  Func mean("mean"), variance("variance"), out("layer_norm");
  mean(y) += in(y, r) / static_cast<float>(kColumns);
  variance(y) += (in(y, r) - mean(y)) * (in(y, r) - mean(y)) / static_cast<float>(kColumns);
  out(y, x) = (in(y, x) - mean(y)) / sqrt(variance(y) + 1e-5f) * scale(x) + shift(x);

  out.bound({kRows, kColumns});
  if (example.by_hand()) {
    out.split(x, xo, xi, 32).reorder({y, xo, xi}).gpu_blocks(y).gpu_threads(xi);
    variance.compute_at(out, y).store_in(Local);
    mean.compute_at(out, y).store_in(Local);
  }

  const Buffer rows = example_data({kRows, kColumns}, 3), s = example_data({kColumns}, 4),
               b = example_data({kColumns}, 5);
  return example.check(out, {{"in", rows}, {"scale", s}, {"shift", b}}, [&](std::int64_t i) {
    const std::int64_t first = i / kColumns * kColumns, column = i % kColumns;
    double average = 0, spread = 0;
    for (int k = 0; k < kColumns; ++k) average += rows.get(first + k) / kColumns;
    for (int k = 0; k < kColumns; ++k) spread += std::pow(rows.get(first + k) - average, 2) / kColumns;
    return (rows.get(i) - average) / std::sqrt(spread + 1e-5) * s.get(column) + b.get(column);
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

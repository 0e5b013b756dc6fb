// The largest element of each row and where it is: a Func of tuples, whose components are outputs of their
// own. argmax() defines it; named, it can be scheduled like any Func. Halide's argmax has the same
// components.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("argmax", argc, argv);
  constexpr int kRows = 45, kColumns = 71;
  const Var y("y");
  const Input in("in", Float(32), {kRows, kColumns}, {"y", "x"});
  const RDom r({{0, kColumns}}, "r");
  Func best("best");
  best(y) = argmax(in(y, r), "row_best");

  best.bound({kRows});
  if (example.by_hand()) {
    best.gpu_tile(y, 16);
    best.producer("row_best").compute_at(best, y);
  }

  const Buffer rows = example_data({kRows, kColumns}, 3);
  const auto results = example.run({best}, {{"in", rows}});
  for (std::int64_t row = 0; row < kRows; ++row) {
    std::int64_t place = 0;
    for (std::int64_t x = 1; x < kColumns; ++x) {
      if (rows.get(row * kColumns + x) > rows.get(row * kColumns + place)) place = x;
    }
    if (results[0].get_int(row) == place && results[1].get(row) == rows.get(row * kColumns + place)) continue;
    std::printf("argmax: row %d is wrong\n", static_cast<int>(row));
    return 1;
  }
  std::printf("argmax: %d rows, all right\n", kRows);
  return 0;
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

// Keeps only the peaks of a response map, such as a corner detector makes: elements above a threshold that
// nothing in the 3x3 pixels around exceeds. A second output, without dimensions, is their number.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("non_maximum_suppression", argc, argv);
  constexpr int kHeight = 33, kWidth = 49;
  const Var y("y"), x("x");
  const Input response("response", Float(32), {kHeight, kWidth}, {"y", "x"});
  const RDom window({{-1, 3}, {-1, 3}}, "window");
  RDom all({{0, kHeight}, {0, kWidth}}, "all");
  Func near = BoundaryConditions::repeat_edge(response, {kHeight, kWidth});
  Func peaks("peaks"), count("count");
  const Expr highest = maximum(near(y + window[0], x + window[1]), "highest");
  peaks(y, x) = select(response(y, x) >= highest && response(y, x) > 0.5f, response(y, x), 0.0f);
  all.where(peaks(all[0], all[1]) > 0.0f);
  count() += cast<int>(all[0] >= 0);

  peaks.bound({kHeight, kWidth});
  if (example.by_hand()) {
    peaks.gpu_tile(x, y, {16, 4});
    Func around = peaks.producer("highest");
    around.compute_at(peaks, x);
    around.update().unroll(window[0]).unroll(window[1]);
  }

  return example.compare({peaks, count}, {{"response", example_data({kHeight, kWidth}, 5)}});
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

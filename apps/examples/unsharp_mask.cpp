// An unsharp mask: the image and what a 5x5 Gaussian blur takes away from it. Each work-item goes down a
// column and keeps a window of five blurred rows in registers: store_at outside of the loop over y,
// compute_at inside it; the unrolling by five turns the indices in the window into constants.
// Halide's unsharp computes blur_y and slides over it on CPUs; on GPUs it recomputes the rows.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("unsharp_mask", argc, argv);
  constexpr int kHeight = 45, kWidth = 64;
  const float weight[] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  const Var y("y"), x("x"), yo("yo"), yi("yi"), xo("xo"), xi("xi");
  const Input in("in", Float(32), {kHeight, kWidth}, {"y", "x"});
  Func near = BoundaryConditions::repeat_edge(in, {kHeight, kWidth});
  Func blurred("blurred"), out("unsharp");
  Expr across = 0.0f, down = 0.0f;
  for (int i = 0; i < 5; ++i) across = across + near(y, x + i - 2) * weight[i];
  blurred(y, x) = across;
  for (int i = 0; i < 5; ++i) down = down + blurred(y + i - 2, x) * weight[i];
  out(y, x) = in(y, x) + (in(y, x) - down) * 1.5f;

  out.bound({kHeight, kWidth});
  if (example.by_hand()) {
    out.split(y, yo, yi, 5, Tail::Exact).split(x, xo, xi, 16, Tail::Exact);
    out.reorder({xo, xi, yo, yi}).unroll(yi).gpu_blocks(xo).gpu_threads(xi);
    blurred.compute_at(out, yi).store_at(out, xi).unroll(y);
  }

  return example.compare({out}, {{"in", example_data({kHeight, kWidth}, 7)}}, 1e-5);
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

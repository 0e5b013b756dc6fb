// A separable 3x3 blur: each work-group blurs the rows of its tile and its halo into local memory, then the
// columns.
#include "apps/examples/example.h"

int main(int argc, char** argv) try {
  using namespace tensordsl;
  const Example example("blur", argc, argv);
  constexpr int kHeight = 37, kWidth = 53;
  const Var y("y"), x("x"), yo("yo"), xo("xo"), yi("yi"), xi("xi"), t("t");
  const Input in("in", Float(32), {kHeight, kWidth}, {"y", "x"});
  const Func edges = BoundaryConditions::repeat_edge(in, {kHeight, kWidth});
  Func rows("rows"), blur("blur");
  rows(y, x) = (edges(y, x - 1) + edges(y, x) + edges(y, x + 1)) / 3.0f;
  blur(y, x) = (rows(y - 1, x) + rows(y, x) + rows(y + 1, x)) / 3.0f;

  blur.bound({kHeight, kWidth});
  if (example.by_hand()) {
    blur.tile(y, x, yo, xo, yi, xi, 8, 16).gpu_blocks(xo, yo).gpu_threads(xi, yi);
    rows.compute_at(blur, xo).store_in(Local).split(y, t, yi, 8).gpu_threads(x, yi);
  }

  const Buffer image = example_data({kHeight, kWidth}, 1);
  return example.check(blur, {{"in", image}}, [&](std::int64_t i) {
    const int row = static_cast<int>(i) / kWidth, column = static_cast<int>(i) % kWidth;
    double sum = 0;
    for (int v = row - 1; v <= row + 1; ++v) {
      for (int u = column - 1; u <= column + 1; ++u) {
        sum += image.get(std::clamp(v, 0, kHeight - 1) * kWidth + std::clamp(u, 0, kWidth - 1));
      }
    }
    return sum / 9;
  });
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

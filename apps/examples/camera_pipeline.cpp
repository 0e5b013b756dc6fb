// Converts 10 bits of a camera's sensor to 8 bits of color, in integers: demosaic, color matrix, tone curve.
// It has the stages of Halide's camera_pipe example, with a plain bilinear demosaic. That schedule computes
// all stages in tiles per thread; this one does so in a work-group's local memory.
#include "apps/examples/example.h"

namespace {

using namespace tensordsl;

constexpr int kHeight = 42, kWidth = 58;

/// The mean of the pixels at distance (dy, dx) and (-dy, -dx), rounded up.
Expr mean(const Func& raw, const Expr& y, const Expr& x, int dy, int dx) {
  const Expr sum = cast<std::uint32_t>(raw(y - dy, x - dx)) + cast<std::uint32_t>(raw(y + dy, x + dx));
  return cast<std::uint16_t>((sum + 1u) >> 1);
}

}  // namespace

int main(int argc, char** argv) try {
  const Example example("camera_pipeline", argc, argv);
  const Var c("c"), y("y"), x("x");
  const Input sensor("sensor", UInt(16), {kHeight, kWidth}, {"y", "x"});
  const Input matrix("matrix", Int(16), {3, 3}, {"to", "from"});  // in 256ths
  Input curve("curve", UInt(8), {1024}, {"value"});
  Func raw = BoundaryConditions::repeat_edge(sensor, {kHeight, kWidth});

  // Rows of the sensor: green red green red, blue green blue green.
  Func colors("colors"), corrected("corrected"), out("camera");
  const Expr even_row = y % 2 == 0, even_column = x % 2 == 0, own = raw(y, x);
  const Expr beside = mean(raw, y, x, 0, 1), above = mean(raw, y, x, 1, 0);
  const Expr cross = (cast<std::uint32_t>(beside) + cast<std::uint32_t>(above) + 1u) >> 1;
  const Expr corners = cast<std::uint16_t>(
      (cast<std::uint32_t>(mean(raw, y, x, 1, 1)) + cast<std::uint32_t>(mean(raw, y, x, 1, -1)) + 1u) >> 1);
  const Expr red = select(even_row, select(even_column, beside, own), select(even_column, corners, above));
  const Expr green = select(even_row == even_column, own, cast<std::uint16_t>(cross));
  const Expr blue = select(even_row, select(even_column, above, corners), select(even_column, own, beside));
  colors(y, x) = {red, green, blue};

  const auto row = [&](int color) { return cast<int>(colors(y, x)[color]) * cast<int>(matrix(c, color)); };
  corrected(c, y, x) = cast<std::uint16_t>(clamp((row(0) + row(1) + row(2)) >> 8, 0, 1023));
  // The clamp above keeps the promise.
  out(y, x, c) = curve(unsafe_promise_clamped(cast<int>(corrected(c, y, x)), 0, 1023));

  out.bound({kHeight, kWidth, 3});
  if (example.by_hand()) {
    out.gpu_tile(x, y, {16, 8}).unroll(c);
    colors.compute_at(out, Var("x.b")).store_in(Local).gpu_threads(x, y);
    curve.store_in(MemoryScope::Constant);
  }

  Buffer image(UInt(16), {kHeight, kWidth}), weights(Int(16), {3, 3}), tone(UInt(8), {1024});
  for (std::int64_t i = 0; i < image.elements(); ++i) image.set_int(i, i * 7919 % 1024);
  const int to_rgb[] = {410, -120, -34, -60, 380, -64, 10, -150, 396};
  for (std::int64_t i = 0; i < 9; ++i) weights.set_int(i, to_rgb[i]);
  for (std::int64_t i = 0; i < 1024; ++i)
    tone.set_int(i, std::lround(255 * std::pow(static_cast<double>(i) / 1023, 1 / 2.2)));
  return example.compare({out}, {{"sensor", image}, {"matrix", weights}, {"curve", tone}});
} catch (const tensordsl::Error& error) {
  return report_error(error);
}

#include "docs/halide/halide_examples.h"

#include <fmt/format.h>

#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string blur() {
  const int h = 16, w = 32;
  const Var x("x"), y("y");
  const Input in("in", Int(32), {h + 1, w + 1});
  // [blur]
  Func blur_x("blur_x"), blur("blur");
  blur_x(y, x) = in(y, x) + in(y, x + 1);
  blur(y, x) = blur_x(y, x) + blur_x(y + 1, x);
  blur.bound({h, w}).gpu_tile(x, y, {16, 8});
  blur_x.compute_at(blur, Var("x.b")).gpu_threads(x, y);
  // [end]
  results_of(blur);
  return "";
}

std::string language() {
  const int h = 2, w = 4;
  // [language]
  const Param gain("gain", Float(32));                       // Param<float> gain;
  const Input in("in", Float(32), {h, w});                   // ImageParam in(Float(32), 2);
  const Var y("y"), x("x");                                  // Var x, y;
  const RDom r({{0, h}, {0, w}}, "r");                       // RDom r(0, w, 0, h);
  Func bright("bright"), total("total"), best("best");       // Func bright, total, best;
  bright(y, x) = clamp(in(y, x) * gain, 0, 255);             // bright(x, y) = clamp(in(x, y) * gain, 0, 255);
  total() = cast<float>(0);                                  // total() = cast<float>(0);
  total() += bright(r[0], r[1]);                             // total() += bright(r.x, r.y);
  best() = argmax(in(r[0], r[1]));                           // best() = argmax(in(r.x, r.y));
  Func edges = BoundaryConditions::repeat_edge(in, {h, w});  // ... repeat_edge(in, {{0, w}, {0, h}});
  Func shifted("shifted");                                   // Func shifted;
  shifted(y, x) = edges(y, x - 1);                           // shifted(x, y) = edges(x - 1, y);
  // [end]
  shifted.bound({h, w});
  return results_of({total, best, shifted}, {.params = {{"gain", 2.0f}}});
}

std::string schedules() {
  const Var y("y"), x("x"), yo("yo"), yi("yi"), xo("xo"), xi("xi"), u("u");
  const Input in("in", Float(32), {32, 64});
  const RDom r({{0, 64}}, "r");
  Func f("f"), g("g"), dot("dot");
  f(y, x) = in(y, x) * 2.0f;
  g(y, x) = f(y, x) + 1.0f;
  dot(y) += in(y, r);
  // [schedules]
  g.bound({32, 64});                                   // g.bound(x, 0, 64).bound(y, 0, 32);
  g.tile(y, x, yo, xo, yi, xi, 4, 16);                 // g.tile(x, y, xo, yo, xi, yi, 16, 4);
  g.vectorize(xi, 4).gpu_blocks(xo, yo);               // g.vectorize(xi, 4).gpu_blocks(xo, yo);
  f.compute_at(g, xo).vectorize(x, 4);                 // f.compute_at(g, xo).vectorize(x, 4);
  dot.bound({32}).gpu_blocks(y);                       // dot.bound(y, 0, 32).gpu_blocks(y);
  dot.update().split(r[0], xo, xi, 8).rfactor(xi, u);  // dot.update().split(r, xo, xi, 8).rfactor(xi, u);
  // [end]
  results_of({g, dot});
  return "";
}

std::string running() {
  const Var y("y"), x("x");
  const Input in("in", Float(32), {2, 4});
  Func f("f"), g("g");
  f(y, x) = in(y, x) + 1.0f;
  g(y, x) = f(y, x) * 2.0f;
  const Buffer data = counting(Float(32), {2, 4});
  // [running]
  const auto device = Device::open();
  const Buffer one =
      Pipeline(g).realize({{"in", data}}, *device, {}, {2, 4});  // in.set(data); g.realize({4, 2});
  f.bound({2, 4});
  g.bound({2, 4});
  const std::vector<Buffer> both = Pipeline({f, g}).realize_all({{"in", data}}, *device);
  // [end]
  return fmt::format("one: {} elements; both: {} Buffers", one.elements(), both.size());
}

}  // namespace

std::vector<HalideExample> halide_examples() {
  return {{"blur", blur}, {"language", language}, {"schedules", schedules}, {"running", running}};
}

}  // namespace tensordsl::docs

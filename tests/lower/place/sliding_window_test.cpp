// store_at, fold_storage: which elements are computed again, and which are kept, and where.
#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), yo("yo"), yi("yi"), xo("xo"), xi("xi");

/// rows(y, x) is computed of one row of the input, out(y, x) of three of rows.
struct Stencil {
  Param n{"n"};
  Input in{"in", Float(32), {n + 2, 16}};
  Func rows{"rows"}, out{"out"};
  explicit Stencil(const Expr& height) {
    rows(y, x) = in(y, x) * 2.0f;
    out(y, x) = rows(y, x) + rows(y + 1, x) + rows(y + 2, x);
    out.bound({height, 16}).reorder({x, y});
    rows.compute_at(out, y);
  }
};

std::string nest(const Func& f) { return "\n" + Pipeline(f).print_loop_nest(); }

/// Compares the interpreter with the simulator.
void check_result(const Func& out, int height) {
  Buffer data(Float(32), {height + 2, 16});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 13));
  const std::map<std::string, Buffer> inputs{{"in", data}};
  const auto expected = Pipeline(out).interpret(inputs, {{"n", height}});
  const auto found = Pipeline(out).simulate(inputs, {{"n", height}});
  for (std::int64_t i = 0; i < expected[0].elements(); ++i) CHECK(found[0].get(i) == expected[0].get(i));
}

}  // namespace

TEST_CASE("sliding window: each row is computed once, and as many are stored as one iteration needs") {
  Stencil s(8);
  s.rows.store_at(s.out, x);
  CHECK(nest(s.out) == R"(
kernel out
  for x in [0, 16)
    private rows: f32 [3, 1]
      for y in [0, 2)
        rows(...) = ... in(...)
      for y in [0, 8)
        rows(...) = ... in(...)
        out(...) = ... rows(...)
)");
  CHECK(Pipeline(s.out).emit("loops").find("store rows[(out.y + 2)%3, 0]") != std::string::npos);
}

TEST_CASE("sliding window: every height, known or not, gives the same") {
  for (const int height : {1, 2, 3, 5, 7, 17}) {
    CAPTURE(height);
    Stencil constant(height), symbolic{Expr(Param("n"))}, unrolled(height),
        unrolled_symbolic{Expr(Param("n"))};
    for (Stencil* s : {&constant, &symbolic}) s->rows.store_at(s->out, x);
    for (Stencil* s : {&unrolled, &unrolled_symbolic}) {
      s->out.split(y, yo, yi, 3).unroll(yi).gpu_blocks(x);
      s->rows.compute_at(s->out, yi).store_at(s->out, x).unroll(y);
    }
    for (Stencil* s : {&constant, &symbolic, &unrolled, &unrolled_symbolic}) check_result(s->out, height);
  }
}

TEST_CASE("sliding window: a loop unrolled by the window keeps it in registers") {
  Stencil s(12);
  s.out.split(y, yo, yi, 3, Tail::Exact).unroll(yi).gpu_blocks(x);
  s.rows.compute_at(s.out, yi).store_at(s.out, x).unroll(y);
  const std::string text = Pipeline(s.out).emit("cl");
  CHECK(text.find("float rows_2;") != std::string::npos);
  CHECK(text.find("float rows_3") == std::string::npos);
  CHECK(text.find("[3]") == std::string::npos);
  CHECK(text.find('%') == std::string::npos);
}

TEST_CASE("sliding window: a work-group's in local memory, with barriers where it exchanges data") {
  Stencil s(9);
  s.out.split(x, xo, xi, 8).reorder({xo, y, xi}).gpu_blocks(xo).gpu_threads(xi);
  Func shifted("shifted");
  s.rows.store_at(s.out, xo).store_in(Local).gpu_threads(x);
  check_result(s.out, 9);
  CHECK(Pipeline(s.out).emit("cl").find("__local float rows[24]") != std::string::npos);
}

TEST_CASE("sliding window: at the borders of a picture, in bands of rows, no more is kept") {
  for (const int stride : {1, 2}) {
    const Input in("in", Float(32), {32, 16});
    const RDom r({{0, 3}}, "r");
    Func rows("rows"), padded("padded"), out("out");
    rows(y, x) = in(y, x) * 2.0f;
    padded(y, x) = select(0 <= y && y < 32, rows(clamp(y, 0, 31), x), 0.0f);
    out(y, x) = sum(padded(y * stride + r - 1, x));
    out.bound({32 / stride, 16}).split(y, yo, yi, 8).gpu_blocks(yo);
    rows.compute_at(out, yi).store_at(out, yo);
    CAPTURE(stride);
    CHECK(Pipeline(out).print_loop_nest().find("private rows: f32 [3, 16]") != std::string::npos);
    Buffer data(Float(32), {32, 16});
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 13));
    const auto expected = Pipeline(out).interpret({{"in", data}}),
               found = Pipeline(out).simulate({{"in", data}});
    for (std::int64_t i = 0; i < expected[0].elements(); ++i) CHECK(found[0].get(i) == expected[0].get(i));
  }
}

TEST_CASE("sliding window: fold_storage gives the places, if they suffice") {
  Stencil s(8);
  s.rows.store_at(s.out, x).fold_storage(y, 4);
  check_result(s.out, 8);
  CHECK(Pipeline(s.out).emit("cl").find("& 3") != std::string::npos);
  Stencil narrow(8);
  narrow.rows.store_at(narrow.out, x).fold_storage(y, 2);
  CHECK(error_of<ScheduleError>([&] { Pipeline(narrow.out).compile(); }) ==
        "rows.fold_storage(y, 2): an iteration needs 3 elements of that dimension at once; use at least that "
        "factor");
}

TEST_CASE("sliding window: what cannot be kept is refused by name") {
  Stencil s(8);
  CHECK_THROWS_WITH_AS(s.rows.fold_storage(y, 4),
                       "rows.fold_storage(y, 4): a Func that is computed and stored in the same loop cannot "
                       "be folded; call store_at first",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      s.out.store_at(s.rows, x),
      "out.store_at(rows, x): the Func must be computed in a loop inside that one; call compute_at first",
      ScheduleError);
  s.rows.store_at(s.out, y);
  CHECK(error_of<ScheduleError>([&] { Pipeline(s.out).compile(); }) ==
        "rows.store_at(out, y): this loop does not enclose the loop of compute_at, \"y\" of out; name a loop "
        "further out");
  s.rows.store_at(s.out, x);
  CHECK_THROWS_WITH_AS(s.rows.fold_storage(Var("z"), 4),
                       "rows.fold_storage(z, 4): unknown dimension \"z\"; the dimensions are y, x",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(s.rows.fold_storage(y, 0), "rows.fold_storage(y, 0): the factor must be at least 1",
                       ScheduleError);
  Stencil threads(8);
  threads.out.gpu_threads(y);
  threads.rows.store_at(threads.out, x);
  CHECK(error_of<ScheduleError>([&] { Pipeline(threads.out).compile(); }) ==
        "rows.store_at(out, x): the gpu_threads loop \"out.y\" is between the loops of store_at and "
        "compute_at; store it inside that loop, or reorder");
  Stencil tails(8);
  tails.rows.store_at(tails.out, x).split(y, yo, yi, 2, Tail::RoundUp);
  CHECK(error_of<ScheduleError>([&] { Pipeline(tails.out).compile(); }) ==
        "rows.compute_at(out, y): Tail::RoundUp computes more of rows than an iteration adds, and would "
        "overwrite elements that store_at keeps; use Tail::Guard");
}

TEST_CASE("sliding window: what goes back, or reads its neighbors, is computed anew") {
  const Input in("in", Float(32), {16});
  Func f("f"), out("out");
  f(x) = in(x);
  out(y, x) = f(15 - x) + f(14 - x);
  out.bound({4, 15});
  f.compute_at(out, x).store_at(out, y);
  CHECK(Pipeline(out).emit("loops").find('%') == std::string::npos);
}

TEST_CASE("sliding window: a separable blur of 5 x 5 stores five rows, in loops and in OpenCL C") {
  const Input in("in", Float(32), {Param("n") + 4, 20});
  Func h("h"), blur("blur");
  h(y, x) = in(y, x) + in(y, x + 1) + in(y, x + 2) + in(y, x + 3) + in(y, x + 4);
  blur(y, x) = h(y, x) + h(y + 1, x) + h(y + 2, x) + h(y + 3, x) + h(y + 4, x);
  blur.bound({Param("n"), 16}).reorder({x, y}).gpu_threads(x);
  h.compute_at(blur, y).store_at(blur, x);
  CHECK(Pipeline(blur).print_loop_nest().find("private h: f32 [5, 1]") != std::string::npos);
  CHECK(Pipeline(blur).emit("cl").find("float h[5];") != std::string::npos);
}

TEST_CASE("sliding window: a Func without dimensions is kept like any other") {
  Input in{"in", Float(32), {Param("n") + 2, 16}};
  Func scale("scale"), out("out");
  scale() = in(0, 1) * 2.0f;
  out(y, x) = in(y, x) * scale();
  out.bound({3, 16});
  scale.compute_at(out, x).store_at(out, y);
  check_result(out, 3);
}

/// out reads wide, which reads narrow, which reads the input: each reads three rows.
struct Chain {
  Input in{"in", Float(32), {Param("n") + 2, 16}};
  Func narrow{"narrow"}, wide{"wide"}, out{"out"};
  explicit Chain(int height) {
    narrow(y, x) = in(min(y, height + 1), x) * 2.0f;
    wide(y, x) = narrow(y, x) + narrow(y + 1, x) - narrow(y + 2, x);
    out(y, x) = wide(y, x) + wide(y + 1, x) * 3.0f + wide(y + 2, x) + narrow(y, x);
    out.bound({height, 16}).reorder({x, y});
  }
};

TEST_CASE("sliding window: a Func that slides under one that slides is warmed up with it") {
  Chain c(6);
  c.narrow.compute_at(c.out, y).store_at(c.out, x);
  c.wide.compute_at(c.out, y).store_at(c.out, x);
  CHECK(nest(c.out) == R"(
kernel out
  for x in [0, 16)
    private narrow: f32 [5, 1]
      private wide: f32 [3, 1]
        for y in [0, 4)
          narrow(...) = ... in(...)
        for y in [0, 2)
          wide(...) = ... narrow(...)
        for y in [0, 6)
          narrow(...) = ... in(...)
          wide(...) = ... narrow(...)
          out(...) = ... wide(...), narrow(...)
)");
  for (const int height : {1, 2, 3, 5, 7, 17}) {
    CAPTURE(height);
    Chain both(height), tile(height), split(height), group(height);
    both.narrow.compute_at(both.out, y).store_at(both.out, x);
    both.wide.compute_at(both.out, y).store_at(both.out, x);
    // A Func that is computed again in each iteration is computed in the warm-up too.
    tile.narrow.compute_at(tile.out, y);
    tile.wide.compute_at(tile.out, y).store_at(tile.out, x);
    split.out.split(y, yo, yi, 3).unroll(yi);
    split.narrow.compute_at(split.out, yi).store_at(split.out, x);
    split.wide.compute_at(split.out, yi).store_at(split.out, x);
    group.out.gpu_threads(x).reorder({y, x});
    for (Func* f : {&group.narrow, &group.wide}) f->compute_at(group.out, y).store_in(Local).gpu_threads(x);
    for (const Chain* chain : {&both, &tile, &split, &group}) check_result(chain->out, height);
  }
}

}  // namespace tensordsl::lower

#include <doctest/doctest.h>

#include "lower/place/build_loop_nest.h"

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi"), t("t"), u("u");

/// The loops of out(x) = x over [0, extent), scheduled by `directives`.
template <typename Directives>
std::string nest_of(Directives directives, Expr extent, Expr first = 0) {
  Func out("out");
  out(x) = x;
  directives(out);
  return text_of(build_loop_nest(producer_of(out), 0, {{first, extent}}));
}

const Expr m = ir::make_var("m");

}  // namespace

TEST_CASE("loop nest: one loop per variable, from the corner of the box") {
  Func out("out");
  out(y, x) = y * 2 + x;
  CHECK(text_of(build_loop_nest(producer_of(out), 0, {{Expr(3), Expr(4)}, {m, Expr(8)}})) == normalized(R"(
    for out.y in [3, 3 + 4) {
      for out.x in [m, m + 8) { store out[out.y, out.x] = out.y*2 + out.x }
    })"));
}

TEST_CASE("loop nest: the names of an update carry its number, its reduction axes are loops") {
  const Param n("n");
  const RDom r({{0, 3}, {1, n}}, "r");
  Func out("out");
  out(x) += r[0] * r[1] + x;
  CHECK(text_of(build_loop_nest(producer_of(out), 1, {{Expr(0), Expr(8)}})) == normalized(R"(
    for out.1.x in [0, 8) { for out.1.r_0 in [0, 3) { for out.1.r_1 in [1, 1 + n) {
      store out[out.1.x] = out[out.1.x] + (out.1.r_0*out.1.r_1 + out.1.x)
    } } })"));
}

TEST_CASE("loop nest: a split whose factor divides needs no test, whatever the tail") {
  for (const Tail tail : {Tail::RoundUp, Tail::Guard, Tail::ShiftInwards, Tail::Exact}) {
    CHECK(nest_of([&](Func& f) { f.split(x, xo, xi, 4, tail); }, 8) == normalized(R"(
      for out.xo in [0, 2) { for out.xi in [0, 4) {
        let out.x = 0 + out.xo*4 + out.xi
        store out[out.x] = out.x
      } })"));
  }
}

TEST_CASE("loop nest: Guard tests each point") {
  CHECK(nest_of([](Func& f) { f.split(x, xo, xi, 4); }, 10, 3) == normalized(R"(
    for out.xo in [0, 3) { for out.xi in [0, 4) {
      let out.x = 3 + out.xo*4 + out.xi
      if (out.x < 3 + 10) { store out[out.x] = out.x }
    } })"));
}

TEST_CASE("loop nest: Guard of a symbolic extent") {
  CHECK(nest_of([](Func& f) { f.split(x, xo, xi, 4); }, m) == normalized(R"(
    for out.xo in [0, (m + 3)/4) { for out.xi in [0, 4) {
      let out.x = 0 + out.xo*4 + out.xi
      if (out.x < 0 + m) { store out[out.x] = out.x }
    } })"));
}

TEST_CASE("loop nest: ShiftInwards moves the last block back") {
  CHECK(nest_of([](Func& f) { f.split(x, xo, xi, 4, Tail::ShiftInwards); }, 10) == normalized(R"(
    for out.xo in [0, 3) { for out.xi in [0, 4) {
      let out.x = 0 + min(out.xo*4, 10 - 4) + out.xi
      store out[out.x] = out.x
    } })"));
}

TEST_CASE("loop nest: a let stands where its loops are open, so that a test is as far out as it can be") {
  CHECK(nest_of([](Func& f) { f.split(x, xo, xi, 4).split(xo, t, u, 2); }, 10) == normalized(R"(
    for out.t in [0, 2) { for out.u in [0, 2) {
      let out.xo = 0 + out.t*2 + out.u
      if (out.xo < 0 + 3) {
        for out.xi in [0, 4) {
          let out.x = 0 + out.xo*4 + out.xi
          if (out.x < 0 + 10) { store out[out.x] = out.x }
        }
      }
    } })"));
}

TEST_CASE("loop nest: a reordered split keeps its test inside both loops") {
  CHECK(nest_of(
            [](Func& f) {
              f.split(x, xo, xi, 4).reorder({xi, xo});
            },
            10) == normalized(R"(
    for out.xi in [0, 4) { for out.xo in [0, 3) {
      let out.x = 0 + out.xo*4 + out.xi
      if (out.x < 0 + 10) { store out[out.x] = out.x }
    } })"));
}

TEST_CASE("loop nest: fuse takes quotient and remainder by the inner extent") {
  Func out("out");
  out(y, x) = y + x;
  out.fuse(y, x, t);
  CHECK(text_of(build_loop_nest(producer_of(out), 0, {{Expr(0), Expr(4)}, {Expr(2), Expr(6)}})) ==
        normalized(R"(
    for out.t in [0, 24) {
      let out.x = 2 + out.t%6
      let out.y = 0 + out.t/6
      store out[out.y, out.x] = out.y + out.x
    })"));
}

TEST_CASE("loop nest: the loops have the kinds of the schedule") {
  Func out("out");
  out(y, x) = y + x;
  out.split(x, xo, xi, 4).vectorize(xi).unroll(xo).gpu_tile(y, 2);
  CHECK(text_of(build_loop_nest(producer_of(out), 0, {{Expr(0), Expr(4)}, {Expr(0), Expr(8)}})) ==
        normalized(R"(
    for out.y.b in [0, 2) block0 { for out.y.t in [0, 2) thread0 {
      let out.y = 0 + out.y.b*2 + out.y.t
      for out.xo in [0, 2) unrolled { for out.xi in [0, 4) vectorized {
        let out.x = 0 + out.xo*4 + out.xi
        store out[out.y, out.x] = out.y + out.x
      } }
    } })"));
}

TEST_CASE("loop nest: a Param keeps its name even where a split has a loop of that name") {
  Func out("out");
  const Param p("xo");
  out(x) = x + p;
  out.split(x, xo, xi, 4);
  CHECK(text_of(build_loop_nest(producer_of(out), 0, {{Expr(0), Expr(8)}})) == normalized(R"(
    for out.xo in [0, 2) { for out.xi in [0, 4) {
      let out.x = 0 + out.xo*4 + out.xi
      store out[out.x] = out.x + xo
    } })"));
}

TEST_CASE("loop nest: Exact, RoundUp and ShiftInwards refuse extents they cannot serve") {
  const auto error = [](auto directives, Expr extent) {
    return error_of<ScheduleError>([&] { nest_of(directives, extent); });
  };
  CHECK(error([](Func& f) { f.split(x, xo, xi, 4, Tail::Exact); }, 10) ==
        "out: split(x, xo, xi, 4, Tail::Exact): 4 does not divide the extent 10; use another tail or factor");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 4, Tail::Exact); }, m) ==
        "out: split(x, xo, xi, 4, Tail::Exact): 4 does not divide the extent m; use another tail or factor");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 16, Tail::ShiftInwards); }, 10) ==
        "out: split(x, xo, xi, 16, Tail::ShiftInwards): the extent 10 is not known to be at least 16; use "
        "Tail::Guard");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 4, Tail::ShiftInwards); }, m) ==
        "out: split(x, xo, xi, 4, Tail::ShiftInwards): the extent m is not known to be at least 4; use "
        "Tail::Guard, or specialize() the stage for such extents");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 4, Tail::ShiftInwards); }, max(m, 4)) == "no error");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 5).split(xi, t, u, 3, Tail::RoundUp); }, 10) ==
        "out: split(xi, t, u, 3, Tail::RoundUp): the extent 5 cannot be rounded up, because a split or fuse "
        "made the loop; use Tail::Guard");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 4, Tail::Exact); }, 8) == "no error");
}

TEST_CASE("round_up gives the extent that RoundUp splits of every stage ask for") {
  const auto rounded = [](auto directives, Expr extent) {
    Func out("out");
    out(x) = 0;
    out(x) += 1;
    directives(out);
    return text_of(std::optional(round_up(producer_of(out), {{Expr(1), extent}})));
  };
  CHECK(rounded([](Func&) {}, 10) == "[1, +10)");
  CHECK(rounded([](Func& f) { f.split(x, xo, xi, 4, Tail::RoundUp); }, 10) == "[1, +12)");
  CHECK(rounded([](Func& f) { f.split(x, xo, xi, 4, Tail::RoundUp); }, 12) == "[1, +12)");
  CHECK(rounded([](Func& f) { f.split(x, xo, xi, 4, Tail::RoundUp); }, m) == "[1, +(m + 3)/4*4)");
  CHECK(rounded([](Func& f) { f.split(x, xo, xi, 4, Tail::RoundUp).split(xo, t, u, 2, Tail::RoundUp); },
                10) == "[1, +16)");
  CHECK(rounded([](Func& f) { f.split(x, xo, xi, 4, Tail::Guard).split(xo, t, u, 2, Tail::Guard); }, 10) ==
        "[1, +10)");
  CHECK(rounded(
            [](Func& f) {
              f.split(x, xo, xi, 4, Tail::RoundUp);
              f.update().split(x, xo, xi, 6, Tail::RoundUp);
            },
            10) == "[1, +12)");
}

}  // namespace tensordsl::lower

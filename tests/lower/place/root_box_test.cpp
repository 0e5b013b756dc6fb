#include "lower/place/root_box.h"

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x");

RootNest nest_of(std::string_view body, Expr condition = {}) {
  return {"out", {0, condition.defined() ? 0 : -1}, ir::parse_stmt(body), condition};
}

/// The box of f that is computed for these nests, with f.bound(bound) if that is positive.
std::string box_of(const std::vector<RootNest>& nests, int bound = 0) {
  Func f("f");
  f(x) = x;
  f.compute_root();
  if (bound > 0) f.bound({bound});
  std::string text;
  const std::string error =
      error_of<ScheduleError>([&] { text = text_of(root_box(*producer_of(f).function, nests)); });
  return error == "no error" ? text : error;
}

const RootNest kWide = nest_of("for x in [0, 8) { store out[x] = f[x] + f[x + 2] }");
const RootNest kFar = nest_of("for x in [0, 4) { store out[x] = f[x + 20] }");
const RootNest kOther = nest_of("for x in [0, 8) { store out[x] = g[x] }");

}  // namespace

TEST_CASE("root box: the smallest box around what all nests read") {
  CHECK(box_of({kWide}) == "[0, +10)");
  CHECK(box_of({kWide, kFar}) == "[0, +24)");
  CHECK(box_of({kOther}) == "nothing");
  CHECK(box_of({}) == "nothing");
}

TEST_CASE("root box: a bound is all that is computed, and must hold what is read") {
  CHECK(box_of({kWide}, 32) == "[0, +32)");
  CHECK(box_of({kWide}, 9) ==
        "f.bound: its consumers read [0, 10) of dimension 0, but the bound is 9; enlarge or drop it");
  CHECK(box_of({kOther}, 9) == "nothing");
}

TEST_CASE("root box: a specialization reads no more than the others, as far as its condition tells") {
  const Expr n = ir::make_var("n"), is_four = n == 4;
  const RootNest all = nest_of("for x in [0, n) { store out[x] = f[x] }");
  CHECK(box_of({nest_of("for x in [0, 4) { store out[x] = f[x] }", is_four), all}) == "[0, +n)");
  CHECK(box_of({nest_of("for x in [0, 6) { store out[x] = f[x] }", is_four), all}) ==
        "out.specialization(0): it may read [0, 6) of dimension 0 of f, but only [0, n) is computed for out; "
        "use Tail::Guard in it, or give f a bound()");
}

TEST_CASE("root box: an output is computed over its bound, or over extents that the launch gives") {
  Func out("out");
  out(x) = x;
  CHECK(text_of(std::optional(output_box(*producer_of(out).function))) == "[0, +out_extent_0)");
  out.bound({7});
  CHECK(text_of(std::optional(output_box(*producer_of(out).function))) == "[0, +7)");
}

}  // namespace tensordsl::lower

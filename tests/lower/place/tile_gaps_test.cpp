#include "lower/place/tile_gaps.h"

#include <fmt/format.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// Describes the reads of dimension 0 of t from `first` on: "2 runs of 4, 64 apart".
std::string runs(std::string_view body, const Expr& first) {
  const auto found = runs_of_reads(ir::parse_stmt(body), "t", 0, first);
  return found ? fmt::format("{} runs of {}, {} apart", found->count, found->length, found->stride) : "none";
}

}  // namespace

TEST_CASE("tile gaps: interleaved loops read runs, whatever they begin with") {
  const std::string body = "for g in [0, 2) { for v in [0, 4) { store out[g*4 + v] = t[x*4 + g*64 + v] } }";
  CHECK(runs(body, ir::make_var("x") * 4) == "2 runs of 4, 64 apart");
  CHECK(runs(body, ir::make_var("y")) == "none");
}

TEST_CASE("tile gaps: several reads have one stride, and runs as long as the longest") {
  CHECK(runs("for g in [0, 3) { store out[g] = t[g*8] + t[g*8 + 2] }", Expr(0)) == "3 runs of 3, 8 apart");
  CHECK(runs("for g in [0, 3) { store out[g] = t[g*8] + t[g*9] }", Expr(0)) == "none");
}

TEST_CASE(
    "tile gaps: without gaps, before the first element, and in loops of unknown length there are none") {
  CHECK(runs("for g in [0, 2) { for v in [0, 4) { store out[v] = t[g*4 + v] } }", Expr(0)) == "none");
  CHECK(runs("for g in [0, 2) { store out[g] = t[g*8 - 1] }", Expr(0)) == "none");
  CHECK(runs("for g in [0, n) { store out[g] = t[g*8] }", Expr(0)) == "none");
}

TEST_CASE(
    "tile gaps: a tile keeps the runs alone, unless its own vectors are longer or its updates read it") {
  const Var x("x"), xo("xo"), xi("xi");
  const ir::Stmt body =
      ir::parse_stmt("for g in [0, 2) { for v in [0, 4) { store out[g*4 + v] = t[g*64 + v] } }");
  const Box box{{Expr(0), Expr(68)}};
  Func t("t");
  t(x) = x;
  CHECK(text_of(std::optional(without_gaps(producer_of(t), body, box))) == "[0, +8)");
  t.split(x, xo, xi, 8, Tail::Guard).vectorize(xi);
  CHECK(text_of(std::optional(without_gaps(producer_of(t), body, box))) == "[0, +68)");
  Func sum("t");
  const RDom r({{1, 9}}, "r");
  sum(x) = x;
  sum(r[0]) += sum(r[0] - 1);
  CHECK(text_of(std::optional(without_gaps(producer_of(sum), body, box))) == "[0, +68)");
}

}  // namespace tensordsl::lower

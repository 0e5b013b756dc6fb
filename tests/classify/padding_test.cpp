// Tests which Funcs are a tensor with a constant border, and which nested borders are one.
#include "classify/padding.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "tensordsl/boundary.h"
#include "tensordsl/func.h"

using namespace tensordsl;
using namespace tensordsl::classify;

namespace {

const Var x("x"), y("y");

/// "x + -1 bordered, y + 0: 0.0"
std::string text(const std::optional<Padding>& padding) {
  if (!padding) return "none";
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < padding->offsets.size(); ++d)
    dims.push_back(fmt::format("{}{}", padding->offsets[d], padding->has_border[d] ? " bordered" : ""));
  return fmt::format("{}: {}", fmt::join(dims, ", "), to_string(padding->value));
}

std::string text_of(const Expr& value, const std::vector<Expr>& source,
                    const std::vector<Expr>& extents = {}) {
  Func f("f");
  f(x, y) = value;
  return text(padding_of(f.contents(), source, extents));
}

}  // namespace

TEST_CASE("padding: an element of one tensor where that has one, elsewhere a number") {
  const Input in("in", Float(32), {8, 4});
  CHECK(text_of(select(1 <= x && x < 9, in(x - 1, y), 2.0F), {8, 4}) == "-1 bordered, 0: 2.0");
  CHECK(text_of(select(x >= 1 && 9 > x && y >= 0 && y < 4, in(x - 1, y), 0.0F), {8, 4}) ==
        "-1 bordered, 0 bordered: 0.0");
  CHECK(text(padding_of(BoundaryConditions::zero(in, {8, Expr()}).contents(), {8, 4})) ==
        "0 bordered, 0: 0.0");
  CHECK(text_of(select(1 <= x && x < 9, in(x - 1, y + 2), 0.0F), {8, 6}) == "-1 bordered, 2: 0.0");
}

TEST_CASE("padding: one test is enough where nothing is read beyond the other end") {
  const Input in("in", Float(32), {8, 4});
  const Expr behind = select(x < 8, in(clamp(x, 0, 7), y), 0.0F);
  CHECK(text_of(behind, {8, 4}, {10, 4}) == "0 bordered, 0: 0.0");
  CHECK(text_of(behind, {8, 4}) == "none");
  const Expr before = select(2 <= x, in(clamp(x - 2, 0, 7), y), 0.0F);
  CHECK(text_of(before, {8, 4}, {10, 4}) == "-2 bordered, 0: 0.0");
  CHECK(text_of(before, {8, 4}, {12, 4}) == "none");
}

TEST_CASE("padding: extents may be open") {
  const Param n("n", Int(32));
  const Input in("in", Float(32), {n, 4});
  CHECK(text_of(select(3 <= x && x < n + 3, in(x - 3, y), 0.0F), {n, 4}) == "-3 bordered, 0: 0.0");
  CHECK(text_of(select(3 <= x && x < n + 2, in(x - 3, y), 0.0F), {n, 4}) == "none");
}

TEST_CASE("padding: limits of an index that the tests keep inside do not count, of an open extent either") {
  const Param n("n", Int(32));
  const Input in("in", Float(32), {n, 4});
  CHECK(text_of(select(4 <= x, in(min(x - 4, n - 1), y), 0.0F), {n, 4}, {n + 4, 4}) == "-4 bordered, 0: 0.0");
  CHECK(text_of(select(4 <= x, in(max(min(x - 4, n - 1), 0), y), 0.0F), {n, 4}, {n + 4, 4}) ==
        "-4 bordered, 0: 0.0");
  CHECK(text_of(select(4 <= x, in(min(x - 4, n - 1), y), 0.0F), {n, 4}, {n + 5, 4}) == "none");
  CHECK(text_of(select(4 <= x, in(min(x - 4, n - 2), y), 0.0F), {n, 4}, {n + 4, 4}) == "none");
  CHECK(text_of(select(0 <= y && y < 4, in(min(x - 4, n - 1), y), 0.0F), {n, 4}, {n + 4, 4}) == "none");
}

TEST_CASE("padding: other tests, indices and values are none") {
  const Input in("in", Float(32), {8, 4}), other("other", Float(32), {8, 4});
  CHECK(text_of(select(1 <= x && x < 8, in(x - 1, y), 0.0F), {8, 4}) == "none");
  CHECK(text_of(select(1 <= x || x < 9, in(x - 1, y), 0.0F), {8, 4}) == "none");
  CHECK(text_of(select(1 <= x && x < 9, in(x - 1, 3 - y), 0.0F), {8, 4}) == "none");
  CHECK(text_of(select(1 <= x && x < 9, in(x - 1, y), other(x, y)), {8, 4}) == "none");
  CHECK(text_of(select(1 <= x && x < 9, in(x - 1, y) * 2.0F, 0.0F), {8, 4}) == "none");
  CHECK(text_of(select(x < y, in(x, y), 0.0F), {8, 4}) == "none");
  CHECK(text_of(in(x, y), {8, 4}) == "none");
}

TEST_CASE("padding: a border around a border is one, of the same number and of all elements") {
  const Padding inner{nullptr, {-1, 0}, {true, false}, 0.0F}, outer{nullptr, {-2, -1}, {true, true}, 0.0F};
  CHECK(text(composed(outer, inner, {12, 4}, {10, 4})) == "-3 bordered, -1 bordered: 0.0");
  Padding cut = inner;
  cut.offsets[1] = 1;
  CHECK(text(composed(outer, cut, {12, 3}, {10, 4})) == "none");
  Padding ones = outer;
  ones.value = 1.0F;
  CHECK(text(composed(ones, inner, {12, 4}, {10, 4})) == "none");
  const Padding rows{nullptr, {-2, 0}, {true, false}, 0.0F};
  CHECK(text(composed(rows, cut, {12, 3}, {10, 4})) == "-3 bordered, 1: 0.0");
}

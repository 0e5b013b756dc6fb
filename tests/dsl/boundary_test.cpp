#include "tensordsl/boundary.h"

#include <doctest/doctest.h>

#include "ir/text/print.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

Buffer counting(std::vector<std::int64_t> shape) {
  Buffer buffer(Int(32), std::move(shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) buffer.set_int(i, i + 1);
  return buffer;
}

/// `extended` of a 2x3 Input over [-1, 3) x [-1, 4).
std::vector<std::int64_t> around(const Func& extended) {
  const Var y("y"), x("x");
  Func out("out");
  out(y, x) = extended(y - 1, x - 1);
  const Buffer result = runtime::interpret(out.shared(), {4, 5}, {{{"a", counting({2, 3})}}, {}});
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < result.elements(); ++i) values.push_back(result.get_int(i));
  return values;
}

using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("constant gives the value outside") {
  const Input a("a", Int(32), {2, 3});
  CHECK(around(BoundaryConditions::constant(a, 9, {2, 3})) ==
        Values{9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 9, 4, 5, 6, 9, 9, 9, 9, 9, 9});
}

TEST_CASE("zero gives zeros outside") {
  const Input a("a", Int(32), {2, 3});
  CHECK(around(BoundaryConditions::zero(a, a.shape())) ==
        Values{0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("repeat_edge gives the nearest element") {
  const Input a("a", Int(32), {2, 3});
  CHECK(around(BoundaryConditions::repeat_edge(a, {2, 3})) ==
        Values{1, 1, 2, 3, 3, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 4, 4, 5, 6, 6});
}

TEST_CASE("a dimension whose extent is undefined is not extended") {
  const Input a("a", Int(32), {2, 3});
  const Func padded = BoundaryConditions::zero(a, {Expr(), 3});
  CHECK(to_string(padded.contents().definitions[0].value()) ==
        "select(0 <= b1 && b1 < 3, a(b0, min(max(b1, 0), 3 - 1)), 0)");
  const Func same = BoundaryConditions::constant(a, 7, {Expr(), Expr()});
  CHECK(to_string(same.contents().definitions[0].value()) == "a(b0, b1)");
}

TEST_CASE("the value takes the Func's type, and the Func is named after what it extends") {
  const Input a("a", Float(16), {4});
  const Func padded = BoundaryConditions::constant(a, 1, {4});
  CHECK(padded.name() == "a_padded");
  CHECK(padded.type() == Float(32));  // a select computes in f32
  CHECK(BoundaryConditions::constant(a, 1, {4}, "border").name() == "border");
  CHECK(BoundaryConditions::repeat_edge(a, {4}).name() == "a_clamped");
  CHECK(BoundaryConditions::repeat_edge(a, {4}).type() == Float(16));
}

TEST_CASE("one extent per dimension is asked for") {
  const Input a("a", Int(32), {2, 3});
  CHECK_THROWS_WITH_AS(BoundaryConditions::constant(a, 0, {2}),
                       "BoundaryConditions::constant(a): found 1 extents for 2 dimensions; pass an "
                       "undefined Expr for a dimension that is not extended",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(BoundaryConditions::zero(a, {2}),
                       "BoundaryConditions::zero(a): found 1 extents for 2 dimensions; pass an "
                       "undefined Expr for a dimension that is not extended",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(BoundaryConditions::repeat_edge(a, {2, 3, 4}),
                       "BoundaryConditions::repeat_edge(a): found 3 extents for 2 dimensions; pass an "
                       "undefined Expr for a dimension that is not extended",
                       DefinitionError);
}

}  // namespace tensordsl

// Var, RDom and Param.
#include <doctest/doctest.h>

#include "ir/nodes/expr_node.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"
#include "tensordsl/var.h"

namespace tensordsl {

TEST_CASE("Vars are the same if their names are, and an unnamed Var is different from every other") {
  CHECK(same(Var("x"), Var("x")));
  CHECK_FALSE(same(Var("x"), Var("y")));
  CHECK_FALSE(same(Var(), Var()));
  CHECK_THROWS_WITH_AS(Var(""), "Var(\"\"): the name must not be empty; use Var() for an unnamed Var",
                       DefinitionError);
}

TEST_CASE("the axes of an RDom are named after it") {
  const RDom r({{0, 3}, {2, 5}}, "r");
  CHECK(r.rank() == 2);
  CHECK(r.axes().size() == 2);
  CHECK(to_string(r[0]) == "r_0");
  CHECK(to_string(r[1]) == "r_1");
  CHECK(r[1].name() == "r_1");
  CHECK(Expr(r[1])->operands.size() == 4);  // an axis carries the whole domain
}

TEST_CASE("a one-dimensional RDom is an index itself") {
  const RDom r({{0, 3}}, "r");
  CHECK(same(Expr(r), Expr(r[0])));
  CHECK_THROWS_WITH_AS(Expr(RDom({{0, 3}, {0, 3}})),
                       "RDom used as an index: it has 2 axes; select one, as in r[0]", DefinitionError);
}

TEST_CASE("the ranges of an RDom may be Params but nothing else that varies") {
  const Param n("n");
  CHECK_NOTHROW(RDom({{0, Expr(n) / 2}}));
  CHECK_THROWS_WITH_AS(RDom({{0, Var("x")}}, "r"), "RDom r: range 0 must consist of constants and Params",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(RDom({{0, 2}, {RDom({{0, 2}}), 2}}, "r"),
                       "RDom r: range 1 must consist of constants and Params", DefinitionError);
}

TEST_CASE("an ill-formed RDom says which range is wrong") {
  CHECK_THROWS_WITH_AS(
      RDom({{3, -2}}, "r"),
      "RDom r: range 0 has the extent -2; a range is {min, extent}, and the extent must not be negative",
      DefinitionError);
  CHECK_THROWS_WITH_AS(RDom({}), "RDom({}): needs at least one range {min, extent}", DefinitionError);
  CHECK_THROWS_WITH_AS(RDom({{0, 1}, {0, 2.5f}}, "r"), "RDom r: range 1 needs an i32 min and an i32 extent",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(RDom({{Expr(), 1}}, "r"), "RDom r: range 0 needs an i32 min and an i32 extent",
                       DefinitionError);
  const RDom r({{0, 3}, {0, 3}});
  CHECK_THROWS_WITH_AS(r[2], "RDom[2]: the axis is out of range; the domain has 2 axes, 0 to 1",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(r[-1], "RDom[-1]: the axis is out of range; the domain has 2 axes, 0 to 1",
                       DefinitionError);
}

TEST_CASE("a Param is an i32, i64 or f32 with the name of a kernel argument") {
  CHECK(Expr(Param("n")).type() == Int(32));
  CHECK(Expr(Param("n", Int(64))).type() == Int(64));
  CHECK(Expr(Param("scale", Float(32))).type() == Float(32));
  CHECK(Param("n").name() == "n");
  CHECK_THROWS_WITH_AS(Param(""),
                       "Param(\"\"): the name becomes a kernel argument; use letters, digits and '_', and do "
                       "not start with a digit",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Param("thread0"),
                       "Param(\"thread0\"): kernels use this name for an index; choose another name",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Param("inf"),
                       "Param(\"inf\"): the name is that of a constant in expressions; choose another name",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Param("n", Float(16)),
                       "Param(n): type f16 is not supported; the types are i32, i64, u32, u64, f32 and f64",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Param("2n"),
                       "Param(\"2n\"): the name becomes a kernel argument; use letters, digits and '_', and "
                       "do not start with a digit",
                       DefinitionError);
}

}  // namespace tensordsl

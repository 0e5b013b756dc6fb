// Tests definitions whose reads are inside because of the code around them: they are accepted, whatever the
// schedule, and compute the interpreter's values.
#include <doctest/doctest.h>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), z("z"), u("u");

Buffer numbers(const std::vector<std::int64_t>& shape) {
  Buffer data(Int(32), shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set_int(i, i * 7 % 23 - 4);
  return data;
}

/// Lowers the Func, whose extents are bound, and compares what it computes with the interpreter.
void check_accepted(const Func& output, const std::vector<Input>& inputs) {
  std::map<std::string, Buffer> data;
  for (const Input& input : inputs) {
    std::vector<std::int64_t> shape;
    for (const Expr& extent : input.contents().shape) shape.push_back(*ir::as_int(extent));
    data.emplace(input.name(), numbers(shape));
  }
  std::vector<std::int64_t> shape;
  for (const Expr& extent : output.contents().schedule.bounds) shape.push_back(*ir::as_int(extent));
  const Buffer expected = runtime::interpret(output.shared(), shape, {data, {}});
  lower::LowerOptions options;
  options.verify = true;
  const lower::LoweredPipeline lowered = lower::lower(output.shared(), options);
  CHECK(lowered.requirements.empty());
  const Buffer found = simulate(lowered, data, {});
  for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get_int(i) == expected.get_int(i));
}

}  // namespace

TEST_CASE("accepted: a read under many conditions, in all of which its index is inside") {
  const Var x("x"), y("y");
  const Input index("index", Int(32), {13}), in("in", Float(32), {12});
  Func out("out");
  const Expr i = index(y), is_inside = Expr(0) <= i && i < 12, value = in(i)*2.0f + 1.0f;
  Expr sum = 0.0f;
  for (int k = 0; k < 12; ++k) sum = sum + select(is_inside && x < k + 1, value, 1.0f);
  out(y, x) = sum;
  out.bound({3, 16});
  CHECK(Pipeline(out).compile().requirements.empty());
}

TEST_CASE("accepted: what two guards say together bounds an index that is made of both") {
  const Input a("a", Int(32), {22});
  const Expr i = x + z - 3, j = z - 1;
  Func o("o");
  o(x, z) = select(0 <= i && i < 7 && 0 <= j && j < 7, a(i * 2 + j + 3), 1);
  o.bound({9, 9});
  check_accepted(o, {a});
}

TEST_CASE("accepted: guards of two sums bound their sum and their difference") {
  const Input a("a", Int(32), {13}), b("b", Int(32), {13});
  const Expr i = x + z - 3, j = y - z + 2;
  Func o("o");
  o(x, y, z) = select(0 <= i && i < 7 && 0 <= j && j < 7, a(i + j) + b(i - j + 6), 1);
  o.bound({9, 9, 9});
  check_accepted(o, {a, b});
}

TEST_CASE("accepted: a guard of what is read bounds an index that is read") {
  const Input in("in", Int(32), {8}), t("t", Int(32), {16}), w("w", Int(32), {31});
  Func o("o");
  o(x) = select(0 <= in(x) && in(x) < 16, t(in(x)) + w(in(x) + x), 1);
  o.bound({8});
  check_accepted(o, {in, t, w});
}

TEST_CASE("accepted: a guard of two that are read bounds their combination") {
  const Input in("in", Int(32), {8}), w("w", Int(32), {64});
  const Expr i = in(x), j = in(7 - x);
  Func o("o");
  o(x) = select(0 <= i && i < 16 && 0 <= j && j < 4, w(i * 4 + j), 1);
  o.bound({8});
  check_accepted(o, {in, w});
}

TEST_CASE("accepted: the right side of && and || is read only where the left side asks for it") {
  const Input in("in", Int(32), {8}), flags("flags", Int(32), {8});
  const Expr i = in(x);
  Func o("o"), p("p"), q("q");
  o(x) = select(0 <= i && i < 8 && flags(i) > 2, 1, 0);
  p(x) = select(i < 0 || 8 <= i || flags(i) > 2, 1, 0);
  q(x) = select(i != x || flags(i) > 2, 1, 0);
  for (Func f : {o, p, q}) {
    f.bound({8});
    check_accepted(f, {in, flags});
  }
}

TEST_CASE("accepted: equal is a bound from both sides, unequal one at an end") {
  const Input a("a", Int(32), {7}), in("in", Int(32), {8});
  Func o("o"), p("p"), q("q");
  o(x) = select(x != 0, a(x - 1), 5);
  p(x) = select(x == 7, 5, a(x));
  q(x) = select(in(x) == 3, a(in(x)*2), 5);
  for (Func f : {o, p, q}) {
    f.bound({8});
    check_accepted(f, {a, in});
  }
}

TEST_CASE("accepted: a select in an index takes each side where its condition does") {
  const Input a("a", Int(32), {8}), in("in", Int(32), {8});
  Func o("o"), p("p");
  o(x) = a(select(x > 0, x - 1, 7));
  p(x) = a(select(in(x) < 0, 0, min(in(x), 7)));
  for (Func f : {o, p}) {
    f.bound({8});
    check_accepted(f, {a, in});
  }
}

TEST_CASE("accepted: a product of two variables has the bounds of its corners") {
  const Input a("a", Int(32), {22}), b("b", Int(32), {22});
  Func o("o");
  o(x, y) = a(x * y) + b((x - 3) * (y - 3) + 12);
  o.bound({8, 4});
  check_accepted(o, {a, b});
}

TEST_CASE("accepted: the last part of a reduction reads no further than the reduction, in quotients too") {
  for (const int steps : {3, 5, 8}) {
    for (const int first : {0, 1, 3}) {
      for (const int parts : {2, 3}) {
        for (const bool is_split_k : {true, false}) {
          CAPTURE(steps);
          CAPTURE(first);
          const Input a("a", Int(32), {3, (first + steps) / 2 + 1});
          const RDom r({{first, steps}}, "r");
          Func o("o");
          o(x) *= a(x + 1, (r + x) / 2);
          o.bound({2});
          Stage update = o.update();
          if (is_split_k) update.split_k(r[0], parts, u);
          if (!is_split_k) update.split(r[0], Var("outer"), Var("inner"), parts).rfactor(Var("inner"), u);
          check_accepted(o, {a});
        }
      }
    }
  }
}

TEST_CASE("accepted: a copy of strided reads, of which the last part of a reduction needs less") {
  const Input in("in", Int(32), {10}, {"i"});
  const RDom r({{0, 5}}, "r");
  Func f("f");
  f(x) += in(r * 2) * x;
  f.bound({4});
  Func part = f.update().split(r[0], Var("outer"), Var("inner"), 4).rfactor(Var("outer"), u);
  part.compute_root();
  in.in(part).compute_at(part.update(), u);
  check_accepted(f, {in});
}

TEST_CASE("accepted: a triangle of an Input, through a Func that is computed over the box around it") {
  const Input in("in", Int(32), {8});
  for (const bool is_at_root : {false, true}) {
    Func f("f"), o("o");
    f(x, y) = in(y - x);
    o(x, y) = select(x <= y, f(x, y), 0);
    o.bound({8, 8});
    if (is_at_root) f.compute_root();
    check_accepted(o, {in});
  }
}

TEST_CASE("accepted: a reduction of which a triangle is needed") {
  const Input in("in", Int(32), {8});
  const RDom r({{0, 2}}, "r");
  for (const int placement : {0, 1, 2}) {
    Func f("f"), o("o");
    f(x, y) += in(y - x + r);
    o(x, y) = select(x <= y && y - x < 7, f(x, y), 0);
    o.bound({8, 8});
    if (placement == 0) f.compute_root();
    if (placement == 1) f.compute_at(o, y);
    if (placement == 2) f.compute_at(o, x);
    check_accepted(o, {in});
  }
}

TEST_CASE("accepted: an update of the elements that are needed") {
  const Input in("in", Int(32), {4});
  const RDom r({{0, 8}}, "r");
  Func f("f"), o("o");
  f(x) = 0;
  f(r + 2) = in(r);
  o(x) = f(x);
  o.bound({6});
  f.compute_root();
  check_accepted(o, {in});
}

TEST_CASE("accepted: an index that just its reader bounds, through a Func that is computed before it") {
  const Input in("in", Int(32), {8}), t("t", Int(32), {8});
  Func f("f"), o("o");
  f(x) = t(in(x));
  o(x) = select(0 <= in(x) && in(x) < 8, f(x), 0);
  o.bound({8});
  f.compute_root();
  check_accepted(o, {in, t});
}

TEST_CASE("accepted: no read that is outside where it is needed, whatever stands around it") {
  const Input in("in", Int(32), {8});
  Func f("f"), o("o");
  f(x, y) = in(y - x);
  o(x, y) = select(x <= y + 1, f(x, y), 0);
  o.bound({8, 8});
  f.compute_root();
  CHECK_THROWS_WITH_AS(lower::lower(o.shared()),
                       "f reads in at [-7, 8) of dimension 0 (d0), but its extent is 8; use a "
                       "BoundaryCondition, clamp the index, or bound the Func",
                       DefinitionError);
}

}  // namespace tensordsl

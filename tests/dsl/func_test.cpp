// Definitions: pure ones, updates, Inputs.
#include "tensordsl/func.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "ir/text/print.h"
#include "schedule/func_schedule.h"
#include "support/error_text.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// "f(x, y) = value for r_0 in [0, 3)", one line per definition.
std::string text_of(const Func& f) {
  std::string text;
  for (const ir::Definition& d : f.contents().definitions) {
    std::vector<std::string> args;
    for (const Expr& arg : d.args) args.push_back(to_string(arg));
    text += fmt::format("{}({}) = {}", f.name(), fmt::join(args, ", "), to_string(d.value()));
    for (const ir::ReductionAxis& axis : d.domain) {
      text += fmt::format(" for {} in [{}, +{})", axis.name, to_string(axis.min), to_string(axis.extent));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("the first assignment is the pure definition") {
  const Var x("x"), y("y");
  Func f("f");
  CHECK(!f.contents().is_defined());
  f(x, y) = x * 2 + y;
  CHECK_FALSE(f.is_input());
  CHECK(f.rank() == 2);
  CHECK(f.type() == Int(32));
  CHECK(f.updates() == 0);
  CHECK(text_of(f) == "f(x, y) = x*2 + y\n");
}

TEST_CASE("a Func is a handle: copies name the same tensor") {
  const Var x("x");
  Func f("f");
  Func g = f;
  g(x) = x;
  CHECK(f.rank() == 1);
  CHECK(&f.contents() == &g.contents());
}

TEST_CASE("later assignments are updates, cast to the Func's type") {
  const Var x("x");
  Func f("f");
  f(x) = 0.5f;
  f(x) = x;
  f(3) = 1;
  CHECK(f.updates() == 2);
  CHECK(text_of(f) == "f(x) = 0.5\nf(x) = f32(x)\nf(3) = f32(1)\n");
}

TEST_CASE("an update of floats to a Func of integers is refused, and says how to convert it") {
  const Var x("x");
  Func f("f"), b("b");
  f(x) = x;
  b(x) = x < 3;
  const std::string refusal =
      "f: the update has type f32, but the Func has type i32; convert the value with cast(Int(32), ...), or "
      "define f as f32";
  CHECK(error_of([&] { f(x) += 1.5f; }) == refusal);
  CHECK(error_of([&] { f(x) *= 0.5f; }) == refusal);
  CHECK(error_of([&] { f(x).maximize(1.5f); }) == refusal);
  CHECK(error_of([&] { f(x).minimize(1.0f); }) == refusal);
  CHECK(error_of([&] { f(x) = f(x) / 2.0f; }) == refusal);
  CHECK(error_of([&] { b(x) = 1.0f; }) ==
        "b: the update has type f32, but the Func has type bool; convert the value with cast(Bool(), ...), "
        "or define b as f32");
  CHECK(f.updates() + b.updates() == 0);
  f(x) += cast(Int(32), 1.5f);
  f(x) = cast(Int(32), f(x) * 0.5f);
  CHECK(text_of(f) == "f(x) = x\nf(x) = f(x) + i32(1.5)\nf(x) = i32(f32(f(x))*0.5)\n");
}

TEST_CASE("a reduction starts from the neutral element, and the axes of its RDom follow the use of one") {
  const Var x("x");
  const Input a("a", Float(32), {8, 3});
  const RDom r({{0, 3}, {1, 2}}, "r");
  Func sum("sum"), product("product"), highest("highest"), lowest("lowest");
  sum(x) += a(x, r[0]);
  product(x) *= a(x, r[0]);
  highest(x).maximize(a(x, r[0]));
  lowest(x).minimize(a(x, r[0]));
  const std::string domain = " for r_0 in [0, +3) for r_1 in [1, +2)\n";
  CHECK(text_of(sum) == "sum(x) = 0.0\nsum(x) = sum(x):f32 + a(x, r_0):f32" + domain);
  CHECK(text_of(product) == "product(x) = 1.0\nproduct(x) = product(x):f32*a(x, r_0):f32" + domain);
  CHECK(text_of(highest) ==
        "highest(x) = -inf\nhighest(x) = max_or_nan(highest(x):f32, a(x, r_0):f32)" + domain);
  CHECK(text_of(lowest) == "lowest(x) = inf\nlowest(x) = min_or_nan(lowest(x):f32, a(x, r_0):f32)" + domain);
}

TEST_CASE("maximize and minimize start from the limits of every type") {
  const Var x("x");
  const RDom r({{0, 3}}, "r");
  const auto starts = [&](Type type) {
    const Input a("a", type, {3});
    Func high("high"), low("low");
    high(x).maximize(a(r));
    low(x).minimize(a(r));
    return to_string(high.contents().definitions[0].value()) + " " +
           to_string(low.contents().definitions[0].value());
  };
  CHECK(starts(Float(16)) == "-inf:f16 inf:f16");
  CHECK(starts(Int(8)) == "-128:i8 127:i8");
  CHECK(starts(UInt(8)) == "0:u8 255:u8");
  CHECK(starts(Int(32)) == "-2147483648 2147483647");
  CHECK(starts(Int(64)) == "-9223372036854775808:i64 9223372036854775807:i64");
}

TEST_CASE("an accumulation at an index that is no Var gets its own pure variables") {
  const Input a("a", Int(32), {16});
  const RDom r({{0, 16}}, "r");
  Func histogram("histogram");
  histogram(clamp(a(r), 0, 9)) += 1;
  CHECK(text_of(histogram) ==
        "histogram(d0) = 0\n"
        "histogram(min(max(a(r_0), 0), 9)) = histogram(min(max(a(r_0), 0), 9)) + 1 for r_0 in [0, +16)\n");
}

TEST_CASE("an update's variables are the pure ones it uses") {
  const Var x("x"), y("y");
  const RDom r({{0, 4}}, "r");
  Func f("f");
  f(x, y) = 0;
  f(x, 0) = x;
  f(r, y) += y;
  CHECK(f.contents().stages[1].axes.size() == 1);
  CHECK(f.contents().stages[1].axes[0].name == "x");
  CHECK(f.contents().stages[2].axes.size() == 2);
  CHECK(f.contents().stages[2].axes[0].name == "y");
  CHECK(f.contents().stages[2].axes[1].name == "r_0");
}

TEST_CASE("a Func does not own itself through its update") {
  std::weak_ptr<schedule::ScheduledFunction> watch;
  {
    const Var x("x");
    const RDom r({{1, 4}}, "r");
    Func f("f");
    f(x) = 0;
    f(r) = f(r - 1) + select(f(r) < 3, f(f(r)), 1);
    watch = f.shared();
    CHECK(watch.use_count() == 1);
  }
  CHECK(watch.expired());
}

TEST_CASE("a Func owns what it reads") {
  const Var x("x");
  Func g("g");
  {
    Func f("f");
    f(x) = x;
    g(x) = f(x + 1);
  }
  const auto order = ir::reachable(g.shared());
  REQUIRE(order.size() == 2);
  CHECK(order[0]->name == "f");
  CHECK(order[1]->name == "g");
}

TEST_CASE("two tensors of one pipeline need two names") {
  const Var x("x");
  Func f("f"), other("f"), g("g");
  f(x) = x;
  other(x) = x + 1;
  g(x) = f(x) + other(x);
  CHECK_THROWS_WITH_AS(ir::reachable(g.shared()),
                       "two different Funcs or Inputs of one pipeline are named \"f\"; rename one of them",
                       DefinitionError);
}

TEST_CASE("an Input has a type, a shape and names of its dimensions") {
  const Param n("n");
  const Input a("a", Float(16), {n, 3}, {"row", "column"});
  CHECK(a.is_input());
  CHECK(a.type() == Float(16));
  CHECK(a.contents().dims == std::vector<std::string>{"row", "column"});
  CHECK(Input("b", Int(8), {1, 2}).contents().dims == std::vector<std::string>{"d0", "d1"});
}

TEST_CASE("the shape of an Input can be used in definitions") {
  const Var x("x");
  const Param n("n");
  const Input a("a", Int(32), {n});
  Func last("last");
  last(x) = a(a.shape()[0] - 1);
  CHECK(text_of(last) == "last(x) = a(n - 1)\n");
}

TEST_CASE("names become OpenCL identifiers") {
  CHECK_THROWS_WITH_AS(Func("2f"),
                       "Func(\"2f\"): the name becomes an OpenCL identifier; use letters, digits and '_', "
                       "and do not start with a digit",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a b", Int(32), {1}),
                       "Input(\"a b\"): the name becomes an OpenCL identifier; use letters, digits and '_', "
                       "and do not start with a digit",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Input("block0", Int(32), {1}),
                       "Input(\"block0\"): kernels use this name for an index; choose another name",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Func("thread2"),
                       "Func(\"thread2\"): kernels use this name for an index; choose another name",
                       DefinitionError);
  CHECK(Func().name() != Func().name());
}

TEST_CASE("an ill-formed Input says what is wrong") {
  CHECK_THROWS_WITH_AS(Input("a", Float(24), {1}),
                       "Input(\"a\"): unsupported type; the types are f16, f32, f64, i8, i16, i32, i64, u8, "
                       "u16, u32, u64 and bool",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Float(32, 4), {1}),
                       "Input(\"a\"): unsupported type; the types are f16, f32, f64, i8, i16, i32, i64, u8, "
                       "u16, u32, u64 and bool",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Int(32), {1, 2}, {"x"}),
                       "Input(\"a\"): found 1 dimension names for 2 dimensions", DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Int(32), {1, 2, 3}, {"x", "y", "x"}),
                       "Input(\"a\"): two dimensions are called \"x\"; rename one of them", DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Int(32), {1, 2.0f}), "Input(\"a\"): extent 1 must be an i32 expression",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Int(32), {Var("x")}),
                       "Input(\"a\"): extent 0 must consist of constants and Params", DefinitionError);
  CHECK_THROWS_WITH_AS(Input("a", Int(32), {4, -3}), "Input(\"a\"): extent 1 is -3; it must not be negative",
                       DefinitionError);
}

TEST_CASE("an ill-formed pure definition says what is wrong and leaves the Func undefined") {
  const Var x("x"), y("y");
  const RDom r({{0, 3}}, "r");
  Func f("f");
  CHECK_THROWS_WITH_AS(f(3) = 1,
                       "f: the indices of the first definition must be Vars, found 3; define the whole Func "
                       "first, then update part of it",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x, x) = 1, "f: the Var \"x\" indexes two dimensions; use a different Var for each",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(
      f(x) = x + y,
      "f: the Var \"y\" is not an index of the left side; add it there, or use an RDom or a Param",
      DefinitionError);
  CHECK_THROWS_WITH_AS(
      f(x) = x + r,
      "f: the first definition uses a reduction axis; define the starting value first, or use +=, *=, "
      "maximize or minimize",
      DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = Expr(), "f: the value assigned is an undefined Expr; assign an expression",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(Expr()) = 1, "f: an index is undefined", DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = f(x) + 1, "f is used before it is defined", DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = Param("x") + x,
                       "f: \"x\" names both an index of the left side and a Param; rename one of them",
                       DefinitionError);
  CHECK(!f.contents().is_defined());
  f(x) = x;
  CHECK(f.rank() == 1);
}

TEST_CASE("an ill-formed update says what is wrong") {
  const Var x("x"), y("y");
  const RDom r({{0, 3}}, "r"), s({{0, 3}}, "s"), longer({{0, 4}}, "r");
  Func f("f");
  f(x, y) = 0;
  CHECK_THROWS_WITH_AS(f(x) = 1, "f: indexed with 1 index, but it has 2 dimensions", DefinitionError);
  CHECK_THROWS_WITH_AS(
      f(x, 0) = y,
      "f: the Var \"y\" is not an index of the left side; add it there, or use an RDom or a Param",
      DefinitionError);
  CHECK_THROWS_WITH_AS(f(y, x) = 1,
                       "f: the update indexes dimension 0 with the Var \"y\", but the first definition with "
                       "\"x\"; use \"x\" in the update, or define another Func",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x, cast(Float(32), y)) = 1,
                       "f: an index must be i32, found f32(y) of type f32; cast it", DefinitionError);
  CHECK_THROWS_WITH_AS(
      f(x, r) = s,
      "f: the definition uses two reduction domains, \"r\" and \"s\"; put all axes into one RDom",
      DefinitionError);
  CHECK_THROWS_WITH_AS(f(x, r) = longer,
                       "f: two different reduction domains are named \"r\"; rename one of them",
                       DefinitionError);
  Func g("g");
  g(Var("r_0")) = 0;
  CHECK_THROWS_WITH_AS(
      g(r) = 1, "g: \"r_0\" names both an index of the left side and a reduction axis; rename one of them",
      DefinitionError);
  CHECK(f.updates() == 0);
  const Param named("r_0");
  CHECK_THROWS_WITH_AS(f(x, r) = named,
                       "f: \"r_0\" names both a reduction axis and a Param; rename one of them",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x, named) += r,
                       "f: \"r_0\" names both a reduction axis and a Param; rename one of them",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x, y) += RDom({{0, named}}, "r"),
                       "f: \"r_0\" names both a reduction axis and a Param; rename one of them",
                       DefinitionError);
  CHECK(f.updates() == 0);
}

TEST_CASE("accumulating checks as assigning does") {
  const Var x("x");
  Func f("f");
  CHECK_THROWS_WITH_AS(f(x) += Expr(), "f: the value assigned is an undefined Expr; assign an expression",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(Expr()) *= 1, "f: an index is undefined", DefinitionError);
  Input a("a", Int(32), {4});
  CHECK_THROWS_WITH_AS(a(x) = 1, "a: an Input cannot be defined; define a Func that reads it",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(a(x) += 1, "a: an Input cannot be defined; define a Func that reads it",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(a(x).minimize(1), "a: an Input cannot be defined; define a Func that reads it",
                       DefinitionError);
  CHECK(a.is_input());
}

TEST_CASE("what is refused leaves no definition behind") {
  const Var x("x"), y("y");
  const Input a("a", Int(32), {4});
  Func f("f");
  CHECK_THROWS_AS(f(x) += y, DefinitionError);
  CHECK_THROWS_AS(f(0.5f).maximize(1), DefinitionError);
  CHECK(!f.contents().is_defined());
  CHECK(f.rank() == 0);
  f(x) = 1.5f;
  CHECK(f.type() == Float(32));
  Expr deep = 0;
  for (int i = 0; i < 1600; ++i) deep = deep + a(i % 4);
  Func g("g");
  CHECK_THROWS_AS((g(x) = Tuple(x, deep)), DefinitionError);
  CHECK(g.outputs() == 0);
  g(x) = Tuple(x, 1.0f);
  CHECK(g.types() == std::vector<Type>{Int(32), Float(32)});
}

TEST_CASE("an ill-formed read says what is wrong") {
  const Var x("x");
  const Input a("a", Int(32), {4});
  Func f("f"), undefined("undefined");
  CHECK_THROWS_WITH_AS(f(x) = a(x, x), "a: indexed with 2 indices, but it has 1 dimension", DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = a(0.5f), "a: an index must be i32, found 0.5 of type f32; cast it",
                       DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = a(Expr()), "a: an index is undefined", DefinitionError);
  CHECK_THROWS_WITH_AS(f(x) = undefined(x), "undefined is used before it is defined", DefinitionError);
}

TEST_CASE("two Funcs that are defined by each other are refused") {
  const Var x("x");
  Func f("f"), g("g");
  f(x) = cast(Float(32), x);
  g(x) = f(x) * 2.0f;
  f(x) = f(x) + g(x);
  CHECK_THROWS_WITH_AS(
      ir::reachable(f.shared()),
      "f depends on itself through another Func; a Func may read itself only in its own updates",
      DefinitionError);
  // Each owns the other: without this the pair would outlive the test.
  f.shared()->definitions.clear();
}

TEST_CASE("update(i) of a Func without that update says how many there are") {
  const Var x("x");
  Func f("f");
  f(x) = 0;
  f(x) += 1;
  CHECK(f.update().function_name() == "f");
  CHECK_THROWS_WITH_AS(f.update(1),
                       "f.update(1): the index is out of range; the Func has 1 update definitions",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(f.update(-1),
                       "f.update(-1): the index is out of range; the Func has 1 update definitions",
                       ScheduleError);
}

}  // namespace tensordsl

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/place/inline_functions.h"

#include "lower/lower.h"
#include "lower/pass_text.h"
#include "runtime/host/interpreter.h"
#include "simulate/simulator.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y");

/// "out(x) = in[x], ..." of every Func that gets loops.
std::string producers(const Func& output) {
  std::vector<std::string> texts;
  for (const Producer& p : inline_functions(ir::reachable(output.shared()), {output.shared()})) {
    for (const ir::Definition& d : p.definitions) {
      std::vector<std::string> args;
      for (const Expr& arg : d.args) args.push_back(ir::print(arg));
      texts.push_back(
          fmt::format("{}({}) = {}", p.function->name, fmt::join(args, ", "), ir::print(d.value())));
    }
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

TEST_CASE("inline: a pure Func is substituted into its consumers, transitively") {
  const Input a("a", Float(32), {16});
  Func f("f"), g("g"), h("h");
  f(x) = a(x) * 3.0f;
  g(x) = f(x + 1) - f(x);
  h(x) = g(x * 2);
  CHECK(producers(h) == "h(x) = a[x*2 + 1]:f32*3.0 - a[x*2]:f32*3.0");
}

TEST_CASE("inline: a call's indices are not taken for the callee's own variables") {
  const Input a("a", Int(32), {4, 4});
  Func f("f"), g("g");
  f(x, y) = a(x, y);
  g(x, y) = f(y, x);
  CHECK(producers(g) == "g(x, y) = a[y, x]");
}

TEST_CASE("inline: a Param is not taken for a variable of the Func that it is inlined into") {
  const Param px("x"), pr("r_0");
  const RDom r({{0, 2}}, "r");
  Func f("f"), g("g");
  f(y) = y * px + pr;
  g(x) += f(x + r);
  CHECK(producers(g) == "g(x) = 0; g(x) = g[x] + ((r_0 + x)*x' + r_0')");
  g.bound({5}).vectorize(x, 2);
  g.update().split(x, Var("xo"), Var("x'"), 2);
  const ParamValues params{{"x", 100}, {"r_0", 7}};
  const Buffer expected = runtime::interpret(g.shared(), {5}, {{}, params});
  const Buffer found = simulate(lower(g.shared()), {}, params);
  for (int i = 0; i < 5; ++i) CHECK(found.get_int(i) == expected.get_int(i));
}

TEST_CASE("inline: Funcs with updates or a place of their own are loaded") {
  const Input a("a", Int(32), {16});
  const RDom r({{0, 3}}, "r");
  Func sum("sum"), placed("placed"), out("out");
  sum(x) += a(x + r);
  placed(x) = a(x) * 2;
  out(x) = sum(x) + placed(x);
  placed.compute_root();
  CHECK(producers(out) ==
        "sum(x) = 0; sum(x) = sum[x] + a[x + r_0]; placed(x) = a[x]*2; out(x) = sum[x] + placed[x]");
}

TEST_CASE("inline: a Func is substituted in indices and in updates") {
  const Input a("a", Int(32), {16});
  Func index("index"), out("out");
  index(x) = x / 2;
  out(x) = a(index(x));
  out(index(3)) = 1;
  CHECK(producers(out) == "out(x) = a[x/2]; out(3/2) = 1");
}

TEST_CASE("inline: the output is never substituted") {
  Func out("out");
  out(x) = x;
  out.compute_inline();
  CHECK(producers(out) == "out(x) = x");
}

}  // namespace tensordsl::lower

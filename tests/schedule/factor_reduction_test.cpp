// rfactor and split_k: the definitions that they give, and refusals.
#include <doctest/doctest.h>

#include "pipeline/describe.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), u("u"), k("k"), ko("ko"), ki("ki");

struct RowSum {
  Input a{"a", Float(32), {4, 20}};
  RDom r{{{0, 20}}, "r"};
  Func f{"f"};
  RowSum() { f(x) += a(x, r); }
};

/// One line for each definition.
std::string definitions(const Func& f) {
  std::string text = describe_definitions({f.shared()});
  text.erase(0, text.find('\n') + 1);  // the Input
  for (std::size_t at = 0; (at = text.find("\n  for ", at)) != std::string::npos;)
    text.replace(at, 7, "   over ");
  for (std::size_t at = 0; (at = text.find("\n  where ", at)) != std::string::npos;)
    text.replace(at, 9, "   where ");
  return text;
}

}  // namespace

TEST_CASE("rfactor: a whole axis becomes a dimension of a Func of its own") {
  RowSum s;
  const Func part = s.f.update().rfactor(s.r[0], u);
  CHECK(part.name() == "f_by_u");
  CHECK(definitions(s.f) ==
        "f_by_u(u, x) = 0.0\n"
        "f_by_u(u, x) = f_by_u(u, x):f32 + a(x, u):f32\n"
        "f(x) = 0.0\n"
        "f(x) = f(x):f32 + f_by_u(u, x):f32   over u in [0, 20)\n");
}

TEST_CASE("rfactor: a loop made by split; steps past the domain add nothing") {
  RowSum s;
  s.f.update().split(s.r[0], ko, ki, 8);
  s.f.update().rfactor(ki, u);
  CHECK(definitions(s.f) ==
        "f_by_u(u, x) = 0.0\n"
        "f_by_u(u, x) = f_by_u(u, x):f32 + a(x, ko*8 + u):f32   over ko in [0, 3)   where ko*8 + u < 20\n"
        "f(x) = 0.0\n"
        "f(x) = f(x):f32 + f_by_u(u, x):f32   over u in [0, 8)\n");
}

TEST_CASE("rfactor: loops made by fuse, of an axis that does not start at 0") {
  Input a("a", Int(32), {12});
  RDom r({{2, 3}, {4, 5}}, "r");
  Func f("f");
  f(x) = 7;
  f(x) = max(f(x), a(r[0] + r[1]) * x);
  f.update().fuse(r[0], r[1], k).split(k, ko, ki, 3, Tail::Exact);
  f.update().rfactor(ko, u);
  CHECK(definitions(f) ==
        "f_by_u(u, x) = -2147483648\n"
        "f_by_u(u, x) = max(f_by_u(u, x), a((u*3 + ki)/5 + 2 + ((u*3 + ki)%5 + 4))*x)   over ki in [0, 3)\n"
        "f(x) = 7\n"
        "f(x) = max(f(x), f_by_u(u, x))   over u in [0, 5)\n");
}

TEST_CASE("rfactor: a histogram's parts are merged everywhere") {
  Input a("a", Int(32), {6});
  RDom r({{0, 6}}, "r");
  Func f("f");
  f(x) = 0;
  f(clamp(a(r), 0, 3)) += 1;
  f.update().split(r[0], ko, ki, 2);
  f.update().rfactor(ko, u);
  CHECK(definitions(f) ==
        "f_by_u(u, x) = 0\n"
        "f_by_u(u, min(max(a(u*2 + ki), 0), 3)) = f_by_u(u, min(max(a(u*2 + ki), 0), 3)) + 1   over ki in "
        "[0, 2)\n"
        "f(x) = 0\n"
        "f(x) = f(x) + f_by_u(u, x)   over u in [0, 3)\n");
}

TEST_CASE("rfactor: every operator, odd extents and factors agree with the interpreter") {
  for (const int extent : {1, 3, 5, 7, 17}) {
    for (const int factor : {1, 2, 4, 20}) {
      for (int op = 0; op < 4; ++op) {
        const auto define = [&](bool is_factored) {
          const Input a("a", Int(32), {3, extent});
          const RDom r({{0, extent}}, "r");
          Func f("f");
          f(x) = 1;
          if (op == 0) f(x) += a(x, r);
          if (op == 1) f(x) *= a(x, r);
          if (op == 2) f(x).minimize(a(x, r));
          if (op == 3) f(x).maximize(a(x, r));
          f.update().split(r[0], ko, ki, factor);
          if (is_factored) f.update().rfactor(factor == 2 ? ko : ki, u);
          return f;
        };
        Buffer data(Int(32), {3, extent});
        for (std::int64_t i = 0; i < data.elements(); ++i) data.set_int(i, i * 7 % 5 - 2);
        const Buffer expected = runtime::interpret(define(false).shared(), {3}, {{{"a", data}}, {}});
        const Buffer found = runtime::interpret(define(true).shared(), {3}, {{{"a", data}}, {}});
        CAPTURE(extent);
        CAPTURE(factor);
        CAPTURE(op);
        for (std::int64_t i = 0; i < 3; ++i) CHECK(found.get_int(i) == expected.get_int(i));
      }
    }
  }
}

TEST_CASE("split_k: runs of neighboring steps, computed at the root") {
  RowSum s;
  const Func part = s.f.update().split_k(s.r[0], 3, u);
  CHECK(definitions(s.f) ==
        "f_by_u(u, x) = 0.0\n"
        "f_by_u(u, x) = f_by_u(u, x):f32 + a(x, u*7 + r_0):f32   over r_0 in [0, 7)   where u*7 + r_0 < 20\n"
        "f(x) = 0.0\n"
        "f(x) = f(x):f32 + f_by_u(u, x):f32   over u in [0, 3)\n");
  CHECK(part.contents().level().kind == schedule::ComputeLevel::Kind::Root);
}

TEST_CASE("rfactor and split_k: what cannot be factored is refused, and changes nothing") {
  RowSum s;
  CHECK_THROWS_WITH_AS(s.f.rfactor(x, u),
                       "f.rfactor(x, u): only updates of the form f(...) = f(...) op value with op +, *, min "
                       "or max can be computed in parts",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      s.f.update().rfactor(x, u),
      "f.update(0).rfactor(x, u): loop \"x\" is not a reduction loop; pass a reduction loop of the update",
      ScheduleError);
  CHECK_THROWS_WITH_AS(s.f.update().rfactor(k, u),
                       "f.update(0).rfactor(k, u): unknown loop \"k\"; the loops are x, r_0", ScheduleError);
  CHECK_THROWS_WITH_AS(s.f.update().rfactor(s.r[0], x),
                       "f.update(0).rfactor(r_0, x): f already has a dimension \"x\"; use a new Var",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(s.f.update().split_k(s.r[0], 0, u),
                       "f.update(0).split_k(r_0, 0, u): the number of parts must be at least 1, found 0",
                       ScheduleError);
  const std::string before = definitions(s.f);
  s.f.update().split(x, ko, ki, 2);
  CHECK_THROWS_WITH_AS(s.f.update().split_k(s.r[0], 4, u),
                       "f.update(0).split_k(r_0, 4, u): loop \"x\" is already split or fused; this directive "
                       "rewrites the update, so call it before directives on other loops",
                       ScheduleError);
  CHECK(definitions(s.f) == before);
  CHECK(s.f.update().to_string() == "f.update(0).split(x, ko, ki, 2, Tail::Guard);");
  CHECK_NOTHROW(s.f.update().unroll(s.r[0], 3));  // no loop of the refused split_k is left
  CHECK_THROWS_WITH_AS(s.f.update().split_k(s.r[0], 4, u),
                       "f.update(0).split_k(r_0, 4, u): loop \"r_0.o\" is not a whole reduction axis; pass "
                       "an axis that is not split or fused",
                       ScheduleError);

  RowSum unrolled;
  unrolled.f.update().split(unrolled.r[0], ko, ki, 4).unroll(ki);
  CHECK_THROWS_WITH_AS(unrolled.f.update().rfactor(ko, u),
                       "f.update(0).rfactor(ko, u): loop \"ki\" is no longer serial; this directive rewrites "
                       "the update, so call it before directives on other loops",
                       ScheduleError);
  RowSum exact;
  exact.f.update().split(exact.r[0], ko, ki, 8, Tail::Exact);
  CHECK_THROWS_WITH_AS(exact.f.update().rfactor(ko, u),
                       "f.update(0).rfactor(ko, u): 8 does not divide the extent 20 of loop \"r_0\", which "
                       "was split with Tail::Exact; use Tail::Guard",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(exact.f.update().rfactor(ko, ki),
                       "f.update(0).rfactor(ko, ki): \"ki\" is another loop of the update; use a new Var",
                       ScheduleError);
}

TEST_CASE("rfactor and split_k: a Param keeps its name to itself") {
  const Param n("n"), scale("scale", Float(32));
  Input a("a", Float(32), {4, n});
  RDom r({{0, n}}, "r");
  Func f("f");
  f(x) += a(x, r) * scale;
  CHECK_THROWS_WITH_AS(
      f.update().rfactor(r[0], Var("scale")),
      "f.update(0).rfactor(r_0, scale): the update uses a Param \"scale\"; use a Var with another name",
      ScheduleError);
  CHECK_THROWS_WITH_AS(
      f.update().rfactor(r[0], Var("n")),
      "f.update(0).rfactor(r_0, n): the update uses a Param \"n\"; use a Var with another name",
      ScheduleError);
  CHECK_THROWS_WITH_AS(
      f.update().split_k(r[0], 4, u),
      "f.update(0).split_k(r_0, 4, u): the extent n of \"r_0\" is not known before launch, so the length of "
      "a part is not constant; use split(r_0, outer, inner, 4) and rfactor(inner, u)",
      ScheduleError);
  f.update().split(r[0], ko, ki, 4);
  f.update().rfactor(ki, u);
  CHECK(definitions(f) ==
        "f_by_u(u, x) = 0.0\n"
        "f_by_u(u, x) = f_by_u(u, x):f32 + a(x, ko*4 + u):f32*scale:f32   over ko in [0, (n + 3)/4)   where "
        "ko*4 + u < n\n"
        "f(x) = 0.0\n"
        "f(x) = f(x):f32 + f_by_u(u, x):f32   over u in [0, 4)\n");
}

}  // namespace tensordsl

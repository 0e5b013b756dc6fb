// The interpreter evaluates definitions, the simulator the lowered kernels. They give the same bits for
// expressions of every type, in scalars and vectors, with and without the passes.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/nodes/integer_operations.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "simulate/random_expression.h"
#include "simulate/ways_to_compute.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::simulator;
using ir::ExprKind;

namespace {

const std::vector<Way> kUnsimplified{in_loop(false), in_lanes(true, false), in_lanes(false, false)};
const std::vector<Way> kSimplified{in_loop(true), in_lanes(true, true), in_lanes(false, true)};

/// True if the ways to compute disagree. An expression that was reduced may read outside an input, because a
/// test around the read is gone: that is not a failure.
bool fails(const Expr& expr, const std::vector<Way>& ways) {
  try {
    return !disagreement(expr, ways).empty();
  } catch (const DefinitionError&) {
    return false;
  }
}

/// Expressions are parsed from their text, so that a reported one can be put into the list below.
void check_seeds(int seeds, Drawing drawing, const std::vector<Way>& ways) {
  int refusals = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    drawing.depth = 2 + seed % 4;
    const Expr drawn = draw_expression(static_cast<std::uint64_t>(seed), drawing);
    if (drawing.is_tame) REQUIRE(is_tame(drawn));
    const Expr expr = ir::parse_expr(ir::print(drawn));
    if (disagreement(expr, ways, &refusals).empty()) continue;
    const Expr small =
        shrunk(expr, [&](const Expr& e) { return (is_tame(e) || !drawing.is_tame) && fails(e, ways); });
    FAIL_CHECK("seed ", seed, ": ", ir::print(small), "\n", disagreement(small, ways));
  }
  // Guards around reads must be recognized.
  CHECK(refusals == 0);
}

std::vector<Way> lowered_ways() {
  std::vector<Way> ways;
  for (int schedule = 0; schedule < kSchedules; ++schedule) ways.push_back(lowered(schedule));
  return ways;
}

}  // namespace

TEST_CASE("random expressions: interpreter and simulator agree, in scalars and in vectors") {
  check_seeds(4000, {}, kUnsimplified);
}

TEST_CASE("random expressions: interpreter and simulator agree on what was simplified") {
  check_seeds(4000, {.is_tame = true}, kSimplified);
}

TEST_CASE("random expressions: interpreter and simulator leave the same operands of && and || out") {
  check_seeds(2000, {.is_tame = true, .has_lazy_logic = true}, {in_loop(false), in_loop(true)});
}

TEST_CASE("random expressions: interpreter and simulator agree on what went through all passes") {
  check_seeds(400, {.is_tame = true, .has_half_arithmetic = false}, lowered_ways());
}

TEST_CASE("expressions that interpreter and simulator once disagreed on") {
  for (const std::string text : {
           // The input in_i32[i] may be any i32; sums of it that were made in comparisons, quotients and
           // minima overflowed.
           "in_i32[i] <= -2147483648",
           "0 - i < in_i32[i]",
           "(max(in_i32[i], -2147483647) - 1)/8",
           "(max(in_i32[i], -2147483647) - 1)%9",
           "(in_i32[i]/4 + 3)/5",
           "min(in_i32[i], 100) - min(min(in_i32[i], 100) + 1, 90)",
           // The proof that one operand is always the larger multiplied numbers past 64 bits.
           "max(max(in_i32[i], 0)/2147483647, 1073741823 - min(max(in_i32[i], 0)/7, 1073741823))",
           // A test that && made unnecessary was gone when the lanes of a vector needed it.
           "in_i32[i] == 0 && select(0 <= in_i32[i] && in_i32[i] < 16, in_bool[in_i32[i]]:bool, false)",
           // Constants that overflow were regrouped for ever.
           "9223372036854775807:i64*-2147483648:i64*8:i64 + in_i64[i]:i64",
       }) {
    const Expr expr = ir::parse_expr(text);
    CAPTURE(text);
    CHECK(disagreement(expr, kUnsimplified) == "");
    CHECK(disagreement(expr, kSimplified) == "");
    CHECK(disagreement(expr, lowered_ways()) == "");
  }
}

TEST_CASE("random expressions: every operator, cast and intrinsic is drawn on every type that it takes") {
  std::map<std::pair<std::string, std::string>, int> drawn;
  for (std::uint64_t seed = 0; seed < 12000; ++seed) {
    ir::visit(draw_expression(seed, {}), [&](const Expr& e) {
      if (ir::operation_of(*e) || e->kind == ExprKind::Select) {
        const std::string what = e->kind == ExprKind::Cast        ? to_string(e.type())
                                 : e->kind == ExprKind::Intrinsic ? e->name
                                                                  : std::to_string(static_cast<int>(e->kind));
        ++drawn[{what, to_string((*e)[e->kind == ExprKind::Select ? 1 : 0].type())}];
      }
      return true;
    });
  }
  const auto check_drawn = [&](const std::string& what, Type type) {
    CAPTURE(what);
    CAPTURE(to_string(type));
    CHECK(drawn[{what, to_string(type)}] >= 20);
  };
  for (const Type type : kTypes) {
    for (int kind = 0; kind <= static_cast<int>(ExprKind::Call); ++kind) {
      if (ir::find_operator(static_cast<ExprKind>(kind), type)) check_drawn(std::to_string(kind), type);
    }
    check_drawn(std::to_string(static_cast<int>(ExprKind::Select)), type);
    for (const Type to : kTypes) {
      if (to != type) check_drawn(to_string(to), type);
    }
    for (const ir::IntrinsicEntry& intrinsic : ir::intrinsics()) {
      if (intrinsic.name.starts_with("truncating_")) continue;  // reduce_strength makes them
      if (intrinsic.name == "promise_clamped") continue;        // it has to be kept
      if (intrinsic.on(type)) check_drawn(std::string(intrinsic.name), type);
    }
  }
}

TEST_CASE("random expressions: what fails is reported as small as it can be") {
  const auto has_remainder = [](const Expr& expr) {
    bool found = false;
    ir::visit(expr, [&](const Expr& e) {
      found = found || (e->kind == ExprKind::Mod && e.type() == Int(8));
      return !found;
    });
    return found;
  };
  int shrunk_ones = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Expr drawn = draw_expression(seed, {});
    if (!has_remainder(drawn)) continue;
    ++shrunk_ones;
    const Expr small = shrunk(drawn, has_remainder);
    CAPTURE(ir::print(small));
    CHECK(small->kind == ExprKind::Mod);
    CHECK((ir::is_const((*small)[0]) && ir::is_const((*small)[1])));
  }
  CHECK(shrunk_ones > 10);
}

#include "ir/simplify/simplify_rules.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "ir/brute_force.h"
#include "ir/nodes/substitute.h"
#include "ir/operations/constant_fold.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

using Domain = std::vector<std::int64_t>;

std::map<std::string, Type> wildcards_of(const Expr& e) {
  std::map<std::string, Type> result;
  visit(e, [&](const Expr& node) {
    if (node->kind == ExprKind::Var) result[node->name] = node.type();
    return true;
  });
  return result;
}

std::string text_of(const Rule& rule) {
  return print(rule.pattern) + " -> " + print(rule.replacement) +
         (rule.condition.defined() ? " if " + print(rule.condition) : "");
}

bool is_about_floats(const Rule& rule) { return wildcards_of(rule.pattern).contains("f"); }

/// The rule's expression for another integer type; undefined if a literal is not one of its values.
Expr retyped(const Expr& e, Type type) {
  if (!e.defined()) return e;
  if (e->kind == ExprKind::Var) return e.type().is_bool() ? e : make_var(e->name, type);
  if (e->kind == ExprKind::IntImm) {
    if (e.type().is_bool()) return e;
    const Expr constant = make_int(type, e->value);
    return constant->value == e->value ? constant : Expr();
  }
  std::vector<Expr> operands;
  for (const Expr& operand : e->operands) {
    operands.push_back(retyped(operand, type));
    if (!operands.back().defined()) return Expr();
  }
  return with_operands(e, operands);
}

/// Compares the two sides wherever the condition holds and the pattern fits its type, unless it may wrap.
/// Returns at how many points.
int check_everywhere(const Rule& rule, Type type, const Domain& variables, const Domain& constants) {
  const Expr pattern = retyped(rule.pattern, type), replacement = retyped(rule.replacement, type);
  const Expr condition = retyped(rule.condition, type);
  if (!pattern.defined() || !replacement.defined() || condition.defined() != rule.condition.defined())
    return 0;
  const bool wrap = rule.arithmetic == Rule::Arithmetic::Wraps;
  Point point;
  std::vector<Domain> domains;
  for (const auto& [name, wildcard] : wildcards_of(pattern)) {
    point.emplace_back(name, 0);
    domains.push_back(wildcard.is_bool() ? Domain{0, 1} : name[0] == 'c' ? constants : variables);
  }
  int checked = 0, wrong = 0;
  for_each_point(point, domains, [&] {
    if (condition.defined() && !Evaluator(point)(condition)) return;
    Evaluator left(point, wrap), right(point, wrap);
    const std::int64_t expected = left(pattern), found = right(replacement);
    if (!wrap && !left.fits) return;
    ++checked;
    if (expected == found || ++wrong > 1) return;
    std::string where;
    for (const auto& [name, value] : point) where += " " + name + "=" + std::to_string(value);
    FAIL_CHECK(text_of(rule), " at", where, " as ", to_string(type), ": ", expected, " became ", found);
  });
  return checked;
}

std::uint32_t bits(float value) {
  return std::isnan(value) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(value);
}

float evaluate_float(const ExprNode& e, float f, bool p) {
  switch (e.kind) {
    case ExprKind::FloatImm:
      return static_cast<float>(e.number);
    case ExprKind::Var:
      return f;
    case ExprKind::Add:
      return evaluate_float(*e[0], f, p) + evaluate_float(*e[1], f, p);
    case ExprKind::Sub:
      return evaluate_float(*e[0], f, p) - evaluate_float(*e[1], f, p);
    case ExprKind::Mul:
      return evaluate_float(*e[0], f, p) * evaluate_float(*e[1], f, p);
    case ExprKind::Div:
      return evaluate_float(*e[0], f, p) / evaluate_float(*e[1], f, p);
    case ExprKind::Select:
      return evaluate_float(*e[p ? 1 : 2], f, p);
    default:
      throw std::runtime_error("unexpected float operator");
  }
}

Expr fold(const Expr& e) {
  const Expr constant = fold_constants(e);
  return constant.defined() ? constant : e;
}

}  // namespace

TEST_CASE("simplify rules: each integer rule holds for all small values, negative ones and zero included") {
  for (const Rule& rule : simplify_rules()) {
    if (is_about_floats(rule)) continue;
    INFO(text_of(rule));
    CHECK(check_everywhere(rule, Int(32), range(-6, 6), range(-6, 6)) > 0);
  }
}

TEST_CASE("simplify rules: no constant of a replacement overflows, however large those of the pattern") {
  const Domain extremes{INT32_MIN, INT32_MIN + 1, -65537, -46341, -3, -1, 0, 1, 2, 46341, 65536, INT32_MAX};
  for (const Rule& rule : simplify_rules()) {
    if (!is_about_floats(rule)) check_everywhere(rule, Int(32), range(-3, 3), extremes);
  }
}

TEST_CASE("simplify rules: a rule that is said to wrap holds at the limits of the narrow types") {
  const Domain limits{-128, -127, -64, -3, -2, -1, 0, 1, 2, 3, 5, 64, 126, 127};
  Domain positive = range(0, 6);
  positive.insert(positive.end(), {63, 64, 127, 128, 129, 254, 255});
  for (const Rule& rule : simplify_rules()) {
    if (rule.arithmetic != Rule::Arithmetic::Wraps || is_about_floats(rule)) continue;
    check_everywhere(rule, Int(8), limits, limits);
    check_everywhere(rule, UInt(8), positive, positive);
  }
}

TEST_CASE("simplify rules: float rules change no bit of any kind of value") {
  using Limits = std::numeric_limits<float>;
  int checked = 0;
  for (const Rule& rule : simplify_rules()) {
    if (!is_about_floats(rule)) continue;
    INFO(text_of(rule));
    for (const float f : {0.0f, -0.0f, 1.0f, -1.5f, 1e30f, Limits::min(), Limits::denorm_min(), Limits::max(),
                          Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
      for (const bool p : {false, true}) {
        CHECK(bits(evaluate_float(*rule.pattern, f, p)) == bits(evaluate_float(*rule.replacement, f, p)));
        ++checked;
      }
    }
  }
  CHECK(checked > 0);
}

TEST_CASE("simplify rules: each rule is found by its own pattern, and by the commuted one") {
  for (const Rule& rule : simplify_rules()) {
    INFO(text_of(rule));
    // Constants for which the condition holds.
    Point point;
    for (const auto& [name, type] : wildcards_of(rule.pattern)) {
      if (name[0] == 'c') point.emplace_back(name, 0);
    }
    Substitution constants;
    for_each_point(point, std::vector<Domain>(point.size(), range(-4, 8)), [&] {
      if (!constants.empty() || (rule.condition.defined() && !Evaluator(point)(rule.condition))) return;
      for (const auto& [name, value] : point) constants[name] = make_int(Int(32), value);
    });
    const Expr instance = substitute(rule.pattern, constants);
    CHECK(apply_rules(instance, fold).defined());
    if (is_commutative(instance->kind)) {
      CHECK(apply_rules(make_binary(instance->kind, (*instance)[1], (*instance)[0]), fold).defined());
    }
  }
}

TEST_CASE("simplify rules: a pattern of scalars matches vectors and other types of the same sort only") {
  const auto rewritten = [](const Expr& e) {
    const Expr result = apply_rules(e, fold);
    return result.defined() ? print(result) : "-";
  };
  const Expr v = make_var("v", Int(8, 4)), b = make_var("b", UInt(8)), f = make_var("f", Float(32)),
             d = make_var("d");
  CHECK(rewritten(make_binary(ExprKind::Add, v, make_zero(v.type()))) == print(v));
  CHECK(rewritten(make_binary(ExprKind::Sub, v, v)) == print(make_zero(v.type())));
  CHECK(rewritten(make_binary(ExprKind::Le, v, v)) == print(make_int(Bool(4), 1)));
  CHECK(rewritten(make_binary(ExprKind::Mul, f, make_zero(f.type()))) == "-");  // may be NaN
  CHECK(rewritten(make_binary(ExprKind::Sub, f, f)) == "-");
  CHECK(rewritten(make_binary(ExprKind::Eq, f, f)) == "-");
  CHECK(rewritten(make_unary(ExprKind::Not, make_binary(ExprKind::Lt, f, make_zero(f.type())))) == "-");
  CHECK(rewritten(f + make_float(Float(32), 0.0)) == "-");  // -0 + 0 is +0
  CHECK(rewritten(d / 3 / 5) == "d/15");
  CHECK(rewritten(b / make_int(b.type(), 3) / make_int(b.type(), 5)) == "-");  // the product might not fit u8
}

#include "ir/simplify/simplify_rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include "ir/operations/constant_fold.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::ir {
namespace {

std::vector<Rule> make_rules() {
  const Expr x = make_var("x"), y = make_var("y"), z = make_var("z");
  const Expr c0 = make_var("c0"), c1 = make_var("c1"), c2 = make_var("c2");
  const Expr p = make_var("p", Bool()), q = make_var("q", Bool());
  const Expr f = make_var("f", Float(32));
  const Expr no = make_bool(false), yes = make_bool(true);
  const Expr none, largest = 2147483647;
  constexpr auto Wraps = Rule::Arithmetic::Wraps;
  constexpr auto NoWraps = Rule::Arithmetic::NoWraps;
  return {
      // Sums and products. (Those of i32 are put in linear form instead.)
      {Wraps, x + 0, x, none},
      {Wraps, x - 0, x, none},
      {Wraps, x - x, 0, none},
      {Wraps, x * 0, 0, none},
      {Wraps, x * 1, x, none},
      {Wraps, (x + c0) + c1, x + (c0 + c1), none},
      {Wraps, (x * c0) * c1, x * (c0 * c1), none},

      // Rules of floats: only those that change no bit of any value.
      {Wraps, f + make_float(Float(32), -0.0), f, none},
      {Wraps, f - 0.0f, f, none},
      {Wraps, f * 1.0f, f, none},
      {Wraps, f / 1.0f, f, none},

      // Quotients and remainders.
      {Wraps, x / 0, 0, none},
      {Wraps, x / 1, x, none},
      {Wraps, x / -1, 0 - x, none},
      {Wraps, 0 / x, 0, none},
      {Wraps, x % 0, 0, none},
      {Wraps, x % 1, 0, none},
      {Wraps, x % -1, 0, none},
      {Wraps, 0 % x, 0, none},
      {Wraps, x % x, 0, none},
      {NoWraps, (x / c0) / c1, x / (c0 * c1), c0 > 0 && c1 > 0 && c0 <= largest / c1},
      {NoWraps, (x / c0 + c1) / c2, (x + c0 * c1) / (c0 * c2),
       c0 > 0 && c2 > 0 && c0 <= largest / c2 && c1 <= largest / c0 && -(largest / c0) <= c1},
      {Wraps, (x % c0) / c1, (x / c1) % (c0 / c1), c0 > 0 && c1 > 0 && c0 % c1 == 0},
      {Wraps, (x % c0) % c1, x % c1, c1 != 0 && c0 != 0 && c0 % c1 == 0},
      {NoWraps, min(x * c0, c1) / c0, min(x, c1 / c0), c0 > 0},
      {NoWraps, max(x * c0, c1) / c0, max(x, c1 / c0), c0 > 0},
      {NoWraps, min(x * c0 + c1, c2) / c0, min(x + c1 / c0, c2 / c0), c0 > 0},
      {NoWraps, max(x * c0 + c1, c2) / c0, max(x + c1 / c0, c2 / c0), c0 > 0},

      // Minimum and maximum.
      {Wraps, min(x, x), x, none},
      {Wraps, max(x, x), x, none},
      {Wraps, min(min(x, c0), c1), min(x, min(c0, c1)), none},
      {Wraps, max(max(x, c0), c1), max(x, max(c0, c1)), none},
      {Wraps, min(min(x, y), x), min(x, y), none},
      {Wraps, max(max(x, y), x), max(x, y), none},
      {Wraps, min(max(x, y), x), x, none},
      {Wraps, max(min(x, y), x), x, none},
      {Wraps, min(max(x, c0), c1), c1, c1 <= c0},
      {Wraps, max(min(x, c0), c1), c1, c0 <= c1},
      {Wraps, max(min(x, c0), c1), min(max(x, c1), c0), c1 < c0},
      {Wraps, min(max(x, y), max(x, z)), max(x, min(y, z)), none},
      {Wraps, max(min(x, y), min(x, z)), min(x, max(y, z)), none},
      {Wraps, min(x / c0, y / c0), min(x, y) / c0, c0 > 0},
      {Wraps, max(x / c0, y / c0), max(x, y) / c0, c0 > 0},

      // Comparisons.
      {Wraps, x == x, yes, none},
      {Wraps, x != x, no, none},
      {Wraps, x < x, no, none},
      {Wraps, x <= x, yes, none},
      {Wraps, min(x, c0) < c1, x < c1, c1 <= c0},
      {Wraps, max(x, c0) < c1, x < c1, c0 < c1},
      {Wraps, c1 <= min(x, c0), c1 <= x, c1 <= c0},
      {Wraps, c1 <= max(x, c0), c1 <= x, c0 < c1},
      {NoWraps, x / c0<c1, (x < c1 * c0), c0> 0 && c1 <= largest / c0 && -(largest / c0) <= c1},
      {NoWraps, c1 <= x / c0, c1 * c0 <= x, c0 > 0 && c1 <= largest / c0 && -(largest / c0) <= c1},
      {Wraps, p == yes, p, none},
      {Wraps, p == no, !p, none},
      {Wraps, p == p, yes, none},
      {Wraps, p != yes, !p, none},
      {Wraps, p != no, p, none},
      {Wraps, p != p, no, none},

      // Logic.
      {Wraps, !!p, p, none},
      {Wraps, !(x < y), y <= x, none},
      {Wraps, !(x <= y), y < x, none},
      {Wraps, !(x == y), x != y, none},
      {Wraps, !(x != y), x == y, none},
      {Wraps, p && yes, p, none},
      {Wraps, p && no, no, none},
      {Wraps, p && p, p, none},
      {Wraps, p && !p, no, none},
      {Wraps, p && (p || q), p, none},
      {Wraps, p || yes, yes, none},
      {Wraps, p || no, p, none},
      {Wraps, p || p, p, none},
      {Wraps, p || !p, yes, none},
      {Wraps, p || (p && q), p, none},

      // Choices.
      {Wraps, select(p, x, x), x, none},
      {Wraps, select(p, f, f), f, none},
      {Wraps, select(p, q, q), q, none},
      {Wraps, select(!p, x, y), select(p, y, x), none},
      {Wraps, select(p, yes, no), p, none},
      {Wraps, select(p, no, yes), !p, none},
      {Wraps, select(x < y, x, y), min(x, y), none},
      {Wraps, select(x <= y, x, y), min(x, y), none},
      {Wraps, select(x < y, y, x), max(x, y), none},
      {Wraps, select(x <= y, y, x), max(x, y), none},
  };
}

/// Index of a wildcard of a pattern.
using Slot = std::size_t;
constexpr std::array<std::string_view, 9> kWildcards{"x", "y", "z", "c0", "c1", "c2", "p", "q", "f"};
using Bindings = std::array<const Expr*, kWildcards.size()>;

Slot slot_of(const std::string& name) {
  Slot slot = 0;
  while (kWildcards.at(slot) != name) ++slot;
  return slot;
}

bool binds(const ExprNode& wildcard, const Expr& e, Rule::Arithmetic arithmetic) {
  const Type type = e.type();
  if (wildcard.type.is_float()) return type.is_float();
  if (wildcard.type.is_bool()) return type.is_bool();
  if (!type.is_integer() || (wildcard.name[0] == 'c' && as_int(e) == nullptr)) return false;
  // Data may have any value, so that a result computed from it might overflow.
  return arithmetic == Rule::Arithmetic::Wraps || (type.element() == Int(32) && !reads_memory(e));
}

bool match(const Expr& pattern, const Expr& e, Rule::Arithmetic arithmetic, Bindings& bindings) {
  switch (pattern->kind) {
    case ExprKind::Var: {
      const Expr*& bound = bindings[slot_of(pattern->name)];
      if (bound != nullptr) return same(*bound, e);
      if (!binds(*pattern, e, arithmetic)) return false;
      bound = &e;
      return true;
    }
    case ExprKind::IntImm: {
      const std::int64_t* value = as_int(e);
      return value != nullptr && *value == pattern->value && e.type().is_bool() == pattern.type().is_bool();
    }
    case ExprKind::FloatImm:
      return e.type().is_float() && same(make_float(e.type(), pattern->number), e);
    default:
      break;
  }
  if (e->kind != pattern->kind || e->operands.size() != pattern->operands.size()) return false;
  for (std::size_t i = 0; i < e->operands.size(); ++i) {
    if (!match((*pattern)[i], (*e)[i], arithmetic, bindings)) return false;
  }
  return true;
}

/// Returns the element type of a rule's integer literals: the type of an integer wildcard's operand.
Type integer_type(const Bindings& bindings) {
  for (Slot s = 0; s < slot_of("p"); ++s) {
    if (bindings[s] != nullptr) return bindings[s]->type();
  }
  return Int(32);
}

Expr instantiate(const Expr& pattern, const Bindings& bindings, Type integers, const Builder& build) {
  switch (pattern->kind) {
    case ExprKind::Var:
      return *bindings[slot_of(pattern->name)];
    case ExprKind::IntImm:
      return make_int(pattern.type().is_bool() ? Bool() : integers, pattern->value);
    default:
      return build(map_operands(
          pattern, [&](const Expr& operand) { return instantiate(operand, bindings, integers, build); }));
  }
}

Expr folded(const Expr& e) {
  const Expr constant = fold_constants(e);
  return constant.defined() ? constant : e;
}

bool holds(const Expr& condition, const Bindings& bindings, Type integers) {
  if (!condition.defined()) return true;
  const Expr value = instantiate(condition, bindings, integers.element(), folded);
  return *as_int(value) != 0;
}

bool is_of_constants(const Expr& pattern) {
  if (pattern->kind == ExprKind::Var) return pattern->name[0] == 'c';
  return std::ranges::all_of(pattern->operands, is_of_constants);
}

/// True if the replacement folds its constants to a constant. If that would overflow, it would stay an
/// operator of constants, which replaces an x: (a*b)*c -> a*(b*c) -> c*(a*b) would never end.
bool combines(const Expr& replacement, const Bindings& bindings, Type integers) {
  if (replacement->operands.empty()) return true;
  if (is_of_constants(replacement)) return is_const(instantiate(replacement, bindings, integers, folded));
  return std::ranges::all_of(replacement->operands,
                             [&](const Expr& e) { return combines(e, bindings, integers); });
}

/// Every way to order the operands of the commutative operators in `pattern`.
std::vector<Expr> orderings(const Expr& pattern) {
  if (pattern->operands.empty()) return {pattern};
  std::vector<std::vector<Expr>> combinations{{}};
  for (const Expr& operand : pattern->operands) {
    std::vector<std::vector<Expr>> longer;
    for (const auto& so_far : combinations) {
      for (const Expr& ordered : orderings(operand)) {
        longer.push_back(so_far);
        longer.back().push_back(ordered);
      }
    }
    combinations = std::move(longer);
  }
  std::vector<Expr> result;
  for (auto& operands : combinations) {
    result.push_back(with_operands(pattern, operands));
    if (is_commutative(pattern->kind)) result.push_back(with_operands(pattern, {operands[1], operands[0]}));
  }
  return result;
}

struct Variant {
  const Rule* rule;
  Expr pattern;
};

/// The rules by the kind of their root.
class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<Rule>& rules) {
    for (const Rule& rule : rules) {
      for (const Expr& pattern : orderings(rule.pattern))
        variants_[slot(pattern->kind)].push_back({&rule, pattern});
    }
  }
  const std::vector<Variant>& of(ExprKind root) const { return variants_[slot(root)]; }

 private:
  static std::size_t slot(ExprKind kind) { return static_cast<std::size_t>(kind); }
  std::array<std::vector<Variant>, static_cast<std::size_t>(ExprKind::Call) + 1> variants_;
};

}  // namespace

const std::vector<Rule>& simplify_rules() {
  static const std::vector<Rule> rules = make_rules();
  return rules;
}

Expr apply_rules(const Expr& expr, const Builder& build) {
  static const RuleIndex index(simplify_rules());
  for (const auto& [rule, pattern] : index.of(expr->kind)) {
    Bindings bindings{};
    if (!match(pattern, expr, rule->arithmetic, bindings)) continue;
    const Type integers = integer_type(bindings);
    if (!holds(rule->condition, bindings, integers) || !combines(rule->replacement, bindings, integers))
      continue;
    const Expr result = instantiate(rule->replacement, bindings, integers, build);
    return result.type().lanes < expr.type().lanes ? make_broadcast(result, expr.type().lanes) : result;
  }
  return Expr();
}

}  // namespace tensordsl::ir

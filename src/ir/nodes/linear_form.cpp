#include "ir/nodes/linear_form.h"

#include <algorithm>
#include <numeric>

#include "base/arithmetic.h"
#include "ir/nodes/expr_order.h"
#include "ir/nodes/interval.h"

namespace tensordsl::ir {
namespace {

std::int64_t magnitude(std::int64_t value) { return value < 0 ? wrapping_sub(0, value) : value; }

int factor_count(const Expr& atom) {
  return atom->kind == ExprKind::Mul ? factor_count((*atom)[0]) + factor_count((*atom)[1]) : 1;
}

/// Walks the additions, subtractions and multiplications by constants at the top of `expr` and calls
/// leaf(expr, factor) on their operands.
template <typename Leaf>
void take_apart(const Expr& expr, std::int64_t factor, const Leaf& leaf) {
  const ExprNode& e = *expr;
  switch (e.kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
      take_apart(e[0], factor, leaf);
      take_apart(e[1], e.kind == ExprKind::Add ? factor : wrapping_sub(0, factor), leaf);
      return;
    case ExprKind::Mul:
      if (const std::int64_t* b = as_int(e[1])) return take_apart(e[0], wrapping_mul(factor, *b), leaf);
      if (const std::int64_t* a = as_int(e[0])) return take_apart(e[1], wrapping_mul(factor, *a), leaf);
      break;
    default:
      break;
  }
  leaf(expr, factor);
}

/// Collects the added and subtracted terms, then joins them.
class SumBuilder {
 public:
  explicit SumBuilder(Type type) : type_(type) {}

  void add(const LinearForm& form) {
    std::vector<Term> terms = form.terms();
    std::ranges::sort(terms, [](const Term& a, const Term& b) {
      const std::int64_t m = magnitude(a.coefficient), n = magnitude(b.coefficient);
      if (m != n) return m > n;
      const int f = factor_count(a.atom), g = factor_count(b.atom);
      return f != g ? f > g : compare(a.atom, b.atom) < 0;
    });
    for (const Term& t : terms) {
      const std::int64_t m = magnitude(t.coefficient);
      const Expr product = m == 1 ? t.atom : make_binary(ExprKind::Mul, t.atom, make_int(t.atom.type(), m));
      (t.coefficient > 0 ? added_ : subtracted_).push_back(product);
    }
  }
  void add(const Expr& expr) { added_.push_back(expr); }

  Expr finish(std::int64_t constant) {
    if (added_.empty()) {
      added_.push_back(make_int(type_, constant));
      constant = 0;
    }
    Expr sum = added_[0];
    for (std::size_t i = 1; i < added_.size(); ++i) sum = make_binary(ExprKind::Add, sum, added_[i]);
    for (const Expr& e : subtracted_) sum = make_binary(ExprKind::Sub, sum, e);
    if (constant == 0) return sum;
    if (constant > 0) return make_binary(ExprKind::Add, sum, make_int(type_, constant));
    return make_binary(ExprKind::Sub, sum, make_int(type_, -constant));
  }

 private:
  Type type_;
  std::vector<Expr> added_, subtracted_;
};

/// Returns the position of `atom` in `terms`, which are in the order of their hashes.
auto find(auto& terms, const Expr& atom) {
  return std::ranges::lower_bound(terms, atom->hash, {}, [](const Term& t) { return t.atom->hash; });
}

void collect_factors(const Expr& e, std::vector<Expr>& factors) {
  if (e->kind != ExprKind::Mul) {
    factors.push_back(e);
    return;
  }
  collect_factors((*e)[0], factors);
  collect_factors((*e)[1], factors);
}

}  // namespace

std::int64_t LinearForm::coefficient_of(const Expr& atom) const {
  const auto at = find(terms_, atom);
  return at != terms_.end() && same(at->atom, atom) ? at->coefficient : 0;
}

std::int64_t LinearForm::common_divisor() const {
  std::int64_t divisor = 0;
  for (const Term& t : terms_) {
    if (t.coefficient == INT64_MIN) return 1;
    divisor = std::gcd(divisor, t.coefficient);
  }
  return divisor;
}

void LinearForm::add(const Expr& expr, std::int64_t factor) {
  take_apart(expr, factor, [this](const Expr& leaf, std::int64_t k) {
    if (const std::int64_t* value = as_int(leaf)) {
      constant = wrapping_add(constant, wrapping_mul(*value, k));
    } else {
      add_atom(leaf, k);
    }
  });
}

void LinearForm::add(const LinearForm& other, std::int64_t factor) {
  for (const Term& t : other.terms_) add_atom(t.atom, wrapping_mul(t.coefficient, factor));
  constant = wrapping_add(constant, wrapping_mul(other.constant, factor));
}

void LinearForm::add_atom(const Expr& atom, std::int64_t coefficient) {
  if (coefficient == 0) return;
  const auto at = find(terms_, atom);
  if (at == terms_.end() || !same(at->atom, atom)) {
    terms_.insert(at, {atom, coefficient});
    return;
  }
  at->coefficient = wrapping_add(at->coefficient, coefficient);
  if (at->coefficient == 0) terms_.erase(at);
}

void LinearForm::scale(std::int64_t factor) {
  for (Term& t : terms_) t.coefficient = wrapping_mul(t.coefficient, factor);
  std::erase_if(terms_, [](const Term& t) { return t.coefficient == 0; });
  constant = wrapping_mul(constant, factor);
}

LinearForm operator+(LinearForm a, const LinearForm& b) {
  a.add(b);
  return a;
}

LinearForm operator-(LinearForm a, const LinearForm& b) {
  a.add(b, -1);
  return a;
}

LinearForm operator*(LinearForm a, std::int64_t factor) {
  a.scale(factor);
  return a;
}

LinearForm exact_quotient(const LinearForm& form, std::int64_t divisor) {
  LinearForm result(floor_div(form.constant, divisor));
  for (const Term& t : form.terms()) result.add_atom(t.atom, floor_div(t.coefficient, divisor));
  return result;
}

void LaneForm::add(const Expr& expr, std::int64_t factor) {
  take_apart(expr, factor, [this](const Expr& leaf, std::int64_t k) {
    if (leaf->kind == ExprKind::Ramp) {
      base.add((*leaf)[0], k);
      stride.add((*leaf)[1], k);
    } else if (leaf->kind == ExprKind::Broadcast) {
      base.add((*leaf)[0], k);
    } else {
      (leaf.type().is_vector() ? rest : base).add(leaf, k);
    }
  });
}

void LaneForm::scale(std::int64_t factor) {
  base.scale(factor);
  stride.scale(factor);
  rest.scale(factor);
}

LaneForm operator-(LaneForm a, const LaneForm& b) {
  a.base.add(b.base, -1);
  a.stride.add(b.stride, -1);
  a.rest.add(b.rest, -1);
  return a;
}

bool fits(const LinearForm& form, Type type) {
  const std::int64_t limit = range_of(type.element()).high;
  const auto is_small = [&](std::int64_t value) { return -limit <= value && value <= limit; };
  return is_small(form.constant) && std::ranges::all_of(form.terms(), is_small, &Term::coefficient);
}

bool fits(const LaneForm& form, Type type) {
  return fits(form.base, type) && fits(form.stride, type) && fits(form.rest, type);
}

std::optional<Expr> to_expr(const LinearForm& form, Type type) {
  if (!fits(form, type)) return std::nullopt;
  SumBuilder sum(type);
  sum.add(form);
  return sum.finish(form.constant);
}

std::optional<Expr> to_expr(const LaneForm& form, Type type) {
  if (!type.is_vector()) return to_expr(form.base, type);
  if (!fits(form, type)) return std::nullopt;
  const int lanes = type.lanes;
  SumBuilder sum(type);
  sum.add(form.rest);
  if (!form.stride.is_zero()) {
    sum.add(make_ramp(*to_expr(form.base, type.element()), *to_expr(form.stride, type.element()), lanes));
    return sum.finish(0);
  }
  if (!form.base.is_constant()) {
    sum.add(make_broadcast(*to_expr(form.base, type.element()), lanes));
    return sum.finish(0);
  }
  return sum.finish(form.base.constant);
}

std::vector<Expr> factors_of(const Expr& atom) {
  std::vector<Expr> factors;
  collect_factors(atom, factors);
  return factors;
}

}  // namespace tensordsl::ir

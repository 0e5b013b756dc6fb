#include "ops/assumed_sizes.h"

#include <algorithm>
#include <functional>

#include "ir/nodes/expr_node.h"
#include "ops/size_of.h"

namespace tensordsl::ops {
namespace {

bool has_symbol(const Size& size, const std::string& symbol) {
  const std::vector<std::string> symbols = size.symbols();
  return std::ranges::find(symbols, symbol) != symbols.end();
}

/// Returns the value of `part` (a symbol, or a quotient of it) for which `difference` is 0; nullopt if the
/// symbol is also elsewhere in `difference`.
std::optional<Size> solve(const Size& difference, const Size& part, const std::string& symbol) {
  const Size rest = difference.with_atoms([&](const Expr& atom) {
    return size_of(atom, Size::symbol) == part ? std::optional<Size>(0) : std::nullopt;
  });
  if (has_symbol(rest, symbol)) return std::nullopt;
  const auto coefficient = exact_quotient(difference - rest, part);
  const auto value = coefficient ? exact_quotient(rest * -1, *coefficient) : std::nullopt;
  return value && value->is_at_least(1) ? value : std::nullopt;
}

std::optional<AssumedSize> solve(const Size& difference, const std::string& symbol) {
  const auto value = solve(difference, Size::symbol(symbol), symbol);
  return value ? std::optional(AssumedSize{Size::symbol(symbol), *value}) : std::nullopt;
}

/// Solves for a quotient of `symbol`, which was assumed before to be a multiple of the divisor.
std::optional<AssumedSize> solve_quotient(const Size& difference, const std::string& symbol) {
  std::optional<AssumedSize> found;
  difference.with_atoms([&](const Expr& atom) {
    const std::int64_t* divisor = atom->kind == ir::ExprKind::Div ? ir::as_int(atom->operands[1]) : nullptr;
    if (!divisor || atom->operands[0]->kind != ir::ExprKind::Var || atom->operands[0]->name != symbol)
      return std::optional<Size>();
    if (const auto value = solve(difference, quotient(Size::symbol(symbol), *divisor), symbol))
      found = AssumedSize{Size::symbol(symbol), *value * *divisor};
    return std::optional<Size>();
  });
  return found;
}

/// Finds a divisor d such that the sizes are equal if the symbol is a multiple of d: halved and doubled
/// again, an even dimension is unchanged.
std::optional<AssumedSize> divide(const Size& a, const Size& b, const std::string& symbol) {
  constexpr int kLargest = 1024;
  for (int divisor = 2; divisor <= kLargest; ++divisor) {
    const AssumedSize assumed{Size::symbol(symbol), quotient(Size::symbol(symbol), divisor) * divisor};
    if (substitute(a, assumed) == substitute(b, assumed)) return assumed;
  }
  return std::nullopt;
}

/// The extrema in `size`, the inner ones first.
std::vector<Expr> extrema_of(const Size& size) {
  std::vector<Expr> extrema;
  size.with_atoms([&](const Expr& atom) {
    ir::visit(atom, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Min || e->kind == ir::ExprKind::Max) extrema.push_back(e);
      return true;
    });
    return std::optional<Size>();
  });
  std::ranges::reverse(extrema);
  return extrema;
}

/// Returns the first of up to `most` assumptions that make the sizes equal: a dimension that is cut to a
/// length is assumed not to be longer than that.
std::optional<AssumedSize> solve_extremum(const Size& a, const Size& b, int most) {
  for (const Size& size : {a, b}) {
    for (const Expr& extremum : extrema_of(size)) {
      const auto whole = size_of(extremum, Size::symbol);
      for (const std::size_t operand : {0, 1}) {
        const auto value = size_of((*extremum)[operand], Size::symbol);
        if (!whole || !value) continue;
        const AssumedSize assumed{*whole, *value};
        const Size new_a = substitute(a, assumed), new_b = substitute(b, assumed);
        if (new_a == new_b || (most > 1 && solve_extremum(new_a, new_b, most - 1))) return assumed;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

bool AssumedSize::is_of_symbol() const {
  const std::vector<std::string> symbols = size.symbols();
  return symbols.size() == 1 && size == Size::symbol(symbols.front());
}

void refuse_unequal(const std::string& text, const Size& a, const Size& b) {
  if (is_equal(a, b).has_value()) throw ShapeError(text);
  if (a.has_count() || b.has_count()) throw ShapeError(text + "; " + how_to_know(a.has_count() ? a : b));
  throw UnequalSizes(text, a, b);
}

void refuse_unequal(const std::string& text, const Sizes& a, const Sizes& b) {
  if (a.size() != b.size()) throw ShapeError(text);
  std::optional<std::size_t> first;
  for (std::size_t d = 0; d < a.size(); ++d) {
    const auto equal = is_equal(a[d], b[d]);
    if (equal == false) throw ShapeError(text);
    if (!equal && !first) first = d;
  }
  if (!first) throw ShapeError(text);
  refuse_unequal(text, a[*first], b[*first]);
}

void refuse_indivisible(const std::string& text, const Size& size, const Size& divisor) {
  refuse_unequal(text, size, quotient(size, divisor) * divisor);
}

std::optional<AssumedSize> assume_equal(const Size& a, const Size& b,
                                        const std::vector<std::string>& symbols) {
  // A size that is cut at both ends has two of them.
  constexpr int kMostExtrema = 3;
  for (int most = 1; most <= kMostExtrema; ++most)
    if (auto assumed = solve_extremum(a, b, most)) return assumed;
  const Size difference = a - b;
  const std::function<std::optional<AssumedSize>(const std::string&)> ways[] = {
      [&](const std::string& symbol) { return solve(difference, symbol); },
      [&](const std::string& symbol) { return solve_quotient(difference, symbol); },
      [&](const std::string& symbol) { return divide(a, b, symbol); }};
  for (const auto& way : ways) {
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
      if (!has_symbol(difference, *symbol)) continue;
      if (auto assumed = way(*symbol)) return assumed;
    }
  }
  return std::nullopt;
}

Size substitute(const Size& size, const AssumedSize& assumed) {
  const std::vector<std::string> symbols = assumed.size.symbols();
  const bool is_of_symbol = assumed.is_of_symbol();
  if (!std::ranges::all_of(symbols, [&](const std::string& symbol) { return has_symbol(size, symbol); }))
    return size;
  const auto value_of = [&](const std::string& name) {
    return is_of_symbol && name == symbols.front() ? assumed.value : Size::symbol(name);
  };
  const auto replaced = [&](const Expr& extremum) -> std::optional<Size> {
    if (is_of_symbol || size_of(extremum, Size::symbol) != assumed.size) return std::nullopt;
    return assumed.value;
  };
  return size.with_atoms([&](const Expr& atom) { return size_of(atom, value_of, replaced); });
}

}  // namespace tensordsl::ops

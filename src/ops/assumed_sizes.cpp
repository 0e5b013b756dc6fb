#include "ops/assumed_sizes.h"

#include <algorithm>
#include <functional>

#include "ir/expr_node.h"
#include "ops/size_of.h"

namespace tensordsl {
namespace {

bool has_symbol(const Size& size, const std::string& symbol) {
  const std::vector<std::string> symbols = size.symbols();
  return std::ranges::find(symbols, symbol) != symbols.end();
}

/// What `part` of `difference`, a symbol or a quotient of it, has to be for it to be 0: it has the symbol
/// nowhere else.
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
  return value ? std::optional(AssumedSize{symbol, *value}) : std::nullopt;
}

/// The double of what half of it has to be: it was assumed to be even before.
std::optional<AssumedSize> solve_quotient(const Size& difference, const std::string& symbol) {
  std::optional<AssumedSize> found;
  difference.with_atoms([&](const Expr& atom) {
    const std::int64_t* divisor = atom->kind == ir::ExprKind::Div ? ir::as_int(atom->operands[1]) : nullptr;
    if (!divisor || atom->operands[0]->kind != ir::ExprKind::Var || atom->operands[0]->name != symbol)
      return std::optional<Size>();
    if (const auto value = solve(difference, quotient(Size::symbol(symbol), *divisor), symbol))
      found = AssumedSize{symbol, *value * *divisor};
    return std::optional<Size>();
  });
  return found;
}

/// What is halved and doubled again is what it was if the dimension is even.
std::optional<AssumedSize> divide(const Size& a, const Size& b, const std::string& symbol) {
  constexpr int kLargest = 1024;
  for (int divisor = 2; divisor <= kLargest; ++divisor) {
    const AssumedSize assumed{symbol, quotient(Size::symbol(symbol), divisor) * divisor};
    if (substitute(a, assumed) == substitute(b, assumed)) return assumed;
  }
  return std::nullopt;
}

}  // namespace

void refuse_unequal(const std::string& text, const Size& a, const Size& b) {
  if (is_equal(a, b).has_value()) throw ShapeError(text);
  if (a.has_count() || b.has_count()) throw ShapeError(text + "; " + how_to_know(a.has_count() ? a : b));
  throw UnequalSizes(text, a, b);
}

std::optional<AssumedSize> assume_equal(const Size& a, const Size& b,
                                        const std::vector<std::string>& symbols) {
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
  if (!has_symbol(size, assumed.symbol)) return size;
  return size.with_atoms([&](const Expr& atom) {
    return size_of(atom, [&](const std::string& name) {
      return name == assumed.symbol ? assumed.value : Size::symbol(name);
    });
  });
}

}  // namespace tensordsl

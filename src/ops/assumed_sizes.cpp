#include "ops/assumed_sizes.h"

#include <algorithm>

#include "ops/size_of.h"

namespace tensordsl {
namespace {

bool has_symbol(const Size& size, const std::string& symbol) {
  const std::vector<std::string> symbols = size.symbols();
  return std::ranges::find(symbols, symbol) != symbols.end();
}

/// What makes `difference` 0, if it has the symbol once, alone.
std::optional<AssumedSize> solve(const Size& difference, const std::string& symbol) {
  for (const int sign : {1, -1}) {
    const Size value = (difference - Size::symbol(symbol) * sign) * -sign;
    if (!has_symbol(value, symbol) && value.is_at_least(1)) return AssumedSize{symbol, value};
  }
  return std::nullopt;
}

/// What is halved and doubled again is what it was if the dimension is even.
std::optional<AssumedSize> divide(const Size& a, const Size& b, const std::string& symbol) {
  constexpr int kLargest = 128;
  for (int divisor = 2; divisor <= kLargest; ++divisor) {
    const AssumedSize assumed{symbol, quotient(Size::symbol(symbol), divisor) * divisor};
    if (substitute(a, assumed) == substitute(b, assumed)) return assumed;
  }
  return std::nullopt;
}

}  // namespace

void refuse_unequal(const std::string& text, const Size& a, const Size& b) {
  if (is_equal(a, b).has_value()) throw ShapeError(text);
  throw UnequalSizes(text, a, b);
}

std::optional<AssumedSize> assume_equal(const Size& a, const Size& b,
                                        const std::vector<std::string>& symbols) {
  const Size difference = a - b;
  for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
    if (!has_symbol(difference, *symbol)) continue;
    if (auto assumed = solve(difference, *symbol)) return assumed;
  }
  for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol) {
    if (!has_symbol(difference, *symbol)) continue;
    if (auto assumed = divide(a, b, *symbol)) return assumed;
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

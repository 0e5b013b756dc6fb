#include "ir/nodes/interval.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/arithmetic.h"

namespace tensordsl::ir {
namespace {

constexpr std::int64_t kLowest = INT64_MIN;
constexpr std::int64_t kHighest = INT64_MAX;

bool is_unknown(std::int64_t end) { return end == kLowest || end == kHighest; }

std::int64_t negated(std::int64_t end) {
  if (end == kLowest) return kHighest;
  return end == kHighest ? kLowest : -end;
}

/// The product of two ends; an unknown end is an infinity, except that 0 times it is 0.
std::int64_t end_product(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (is_unknown(a) || is_unknown(b)) return (a < 0) == (b < 0) ? kHighest : kLowest;
  return saturating_mul(a, b);
}

/// The quotient of two ends, b != 0.
std::int64_t end_quotient(std::int64_t a, std::int64_t b) {
  if (is_unknown(a)) return (a < 0) == (b < 0) ? kHighest : kLowest;
  return floor_div(a, b);
}

template <typename F>
Interval corners(Interval a, Interval b, F f) {
  const auto [low, high] =
      std::minmax({f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)});
  return {low, high};
}

}  // namespace

Interval range_of(Type type) {
  return with_element(type, []<typename Element>() -> Interval {
    if constexpr (std::same_as<Element, std::uint64_t>) {
      return {0, kHighest - 1};
    } else if constexpr (std::integral<Element>) {
      return {std::numeric_limits<Element>::min(), std::numeric_limits<Element>::max()};
    } else {
      return {};
    }
  });
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return a < 0 ? kLowest : kHighest;
  return sum;
}

std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  if (__builtin_mul_overflow(a, b, &product)) return (a < 0) == (b < 0) ? kHighest : kLowest;
  return product;
}

Interval operator+(Interval a, Interval b) {
  return {a.low == kLowest || b.low == kLowest ? kLowest : saturating_add(a.low, b.low),
          a.high == kHighest || b.high == kHighest ? kHighest : saturating_add(a.high, b.high)};
}

Interval operator-(Interval a) { return {negated(a.high), negated(a.low)}; }

Interval operator-(Interval a, Interval b) { return a + -b; }

Interval operator*(Interval a, Interval b) { return corners(a, b, end_product); }

Interval floor_div(Interval a, Interval b) {
  // Division is monotonic in each operand while the divisor keeps its sign, so the extremes are at the
  // corners.
  std::optional<Interval> result;
  const auto include = [&](Interval part) { result = result ? hull(*result, part) : part; };
  if (b.low <= -1) include(corners(a, {b.low, std::min<std::int64_t>(b.high, -1)}, end_quotient));
  if (b.contains(0)) include(Interval::point(0));
  if (b.high >= 1) include(corners(a, {std::max<std::int64_t>(b.low, 1), b.high}, end_quotient));
  return result.value_or(Interval{});
}

Interval floor_mod(Interval a, Interval b) {
  if (b.is_point() && b.low > 0 && !is_unknown(a.low) && !is_unknown(a.high) &&
      floor_div(a.low, b.low) == floor_div(a.high, b.low)) {
    return {floor_mod(a.low, b.low), floor_mod(a.high, b.low)};
  }
  // The result has the divisor's sign and is smaller than it.
  Interval result{b.low < 0 ? (b.low == kLowest ? kLowest : b.low + 1) : 0,
                  b.high > 0 ? (b.high == kHighest ? kHighest : b.high - 1) : 0};
  if (a.low >= 0 && b.low >= 0) result.high = std::min(result.high, std::max<std::int64_t>(a.high, 0));
  return result;
}

Interval min(Interval a, Interval b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

Interval max(Interval a, Interval b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

Interval bits_in_both(Interval a, Interval b, Interval any) {
  if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
  if (a.low >= 0) return {0, a.high};
  if (b.low >= 0) return {0, b.high};
  return any;
}

Interval bits_in_either(Interval a, Interval b, Interval any) {
  const std::int64_t most = std::max(a.high, b.high);
  if (a.low < 0 || b.low < 0 || most > INT32_MAX) return any;
  return {0, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(most) + 1)) - 1};
}

Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace tensordsl::ir

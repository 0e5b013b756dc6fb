#include "classify/digits.h"

#include <algorithm>

#include "ir/nodes/linear_form.h"

namespace tensordsl::classify {

using namespace ir;

namespace {

using Digits = std::vector<Digit>;

std::optional<std::int64_t> extent_of(const Expr& source, const std::vector<Axis>& axes) {
  if (source->kind == ExprKind::Var) {
    const auto axis = std::ranges::find(axes, source->name, &Axis::name);
    return axis == axes.end() ? std::nullopt : std::optional(axis->extent);
  }
  const auto digits = digits_of(source, axes);
  return digits ? std::optional(value_count(*digits)) : std::nullopt;
}

/// The digits as one number again.
Expr number_of(const Digits& digits) {
  Expr number;
  for (const Digit& digit : digits) {
    Expr value = digit.source;
    if (digit.low != 1) value = value / static_cast<int>(digit.low);
    number = number.defined() ? number * static_cast<int>(digit.size) + value : value;
  }
  return number;
}

/// (d*3 + e/2) / 2  ->  (d*6 + e) / 4: one source for all digits of a number, however they were simplified.
bool normalize_number(Digit& digit, const std::vector<Axis>& axes) {
  auto digits = digits_of(digit.source, axes);
  if (!digits || digits->empty()) return false;
  Digit& last = digits->back();
  digit.low *= last.low;
  last.size *= last.low;
  last.low = 1;
  // Digits that are cut on both sides have no such form.
  const auto is_whole = [&](const Digit& d) { return extent_of(d.source, axes) == d.low * d.size; };
  if (!std::ranges::all_of(*digits, is_whole)) return false;
  digit.source = number_of(*digits);
  return true;
}

/// An atom of a sum: source, source / low, source % size, source / low % size.
std::optional<Digit> digit_of(const Expr& atom, const std::vector<Axis>& axes) {
  Digit digit{atom, 1, 0};
  const auto strip = [&](ExprKind kind) -> std::optional<std::int64_t> {
    if (digit.source->kind != kind) return std::nullopt;
    const std::int64_t* by = as_int((*digit.source)[1]);
    if (!by || *by < 1) return std::nullopt;
    const std::int64_t value = *by;
    digit.source = Expr((*digit.source)[0]);
    return value;
  };
  const auto modulus = strip(ExprKind::Mod);
  digit.low = strip(ExprKind::Div).value_or(1);
  // An atom is an axis, or a number that is cut into digits; an uncut number is neither.
  const bool is_axis = digit.source->kind == ExprKind::Var;
  if (!is_axis && (same(digit.source, atom) || !normalize_number(digit, axes))) return std::nullopt;
  const auto extent = extent_of(digit.source, axes);
  if (!extent || *extent % digit.low != 0) return std::nullopt;
  digit.size = *extent / digit.low;
  if (modulus) {
    if (digit.size % *modulus != 0) return std::nullopt;
    digit.size = *modulus;
  }
  return digit;
}

/// The digits of `source` among `used`, the most significant first; nothing if they are not all of it.
std::optional<Digits> parts_of(const Expr& source, std::int64_t extent, const Digits& used) {
  Digits parts;
  for (const Digit& digit : used) {
    if (same(digit.source, source)) parts.push_back(digit);
  }
  std::ranges::stable_sort(parts, [](const Digit& a, const Digit& b) { return a.low > b.low; });
  std::int64_t above = extent;
  for (const Digit& part : parts) {
    if (part.low * part.size != above) return std::nullopt;
    above = part.low;
  }
  return above == 1 ? std::optional(parts) : std::nullopt;
}

struct Reduced {
  Digits digits;
  bool is_in_order = true;  // the digits of a number stood together, and in their order
};

/// Each number that is cut into digits  ->  the digits that it is put together from
std::optional<Reduced> without_numbers(const std::vector<Axis>& axes, const Digits& used) {
  Reduced reduced{used};
  while (true) {
    Digits& digits = reduced.digits;
    const auto first =
        std::ranges::find_if(digits, [](const Digit& d) { return d.source->kind != ExprKind::Var; });
    if (first == digits.end()) return reduced;
    const Expr source = first->source;
    const auto inner = digits_of(source, axes);
    const auto parts = inner ? parts_of(source, value_count(*inner), digits) : std::nullopt;
    if (!parts) return std::nullopt;
    const auto count = static_cast<std::ptrdiff_t>(parts->size());
    const bool stands_together =
        digits.end() - first >= count && std::equal(parts->begin(), parts->end(), first);
    reduced.is_in_order = reduced.is_in_order && stands_together;
    const auto at = first - digits.begin();
    std::erase_if(digits, [&](const Digit& d) { return same(d.source, source); });
    digits.insert(digits.begin() + at, inner->begin(), inner->end());
  }
}

}  // namespace

std::int64_t value_count(const Digits& digits) {
  std::int64_t count = 1;
  for (const Digit& digit : digits) count *= digit.size;
  return count;
}

std::optional<Digits> digits_of(const Expr& index, const std::vector<Axis>& axes) {
  const LinearForm form(index);
  if (form.constant != 0) return std::nullopt;
  std::vector<Term> terms = form.terms();
  std::ranges::sort(terms, [](const Term& a, const Term& b) { return a.coefficient < b.coefficient; });
  Digits digits;  // the least significant first
  std::int64_t count = 1;
  for (const Term& term : terms) {
    const auto digit = digit_of(term.atom, axes);
    if (!digit) return std::nullopt;
    if (digit->size == 1) continue;
    if (term.coefficient != count) return std::nullopt;
    count *= digit->size;
    digits.push_back(*digit);
  }
  std::ranges::reverse(digits);
  return digits;
}

bool use_each_once(const std::vector<Axis>& axes, const Digits& used) {
  const auto reduced = without_numbers(axes, used);
  if (!reduced) return false;
  std::size_t count = 0;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) continue;
    const auto parts = parts_of(make_var(axis.name), axis.extent, reduced->digits);
    if (!parts) return false;
    count += parts->size();
  }
  return count == reduced->digits.size();
}

bool are_in_order(const std::vector<Axis>& axes, const Digits& used) {
  const auto reduced = without_numbers(axes, used);
  if (!reduced || !reduced->is_in_order) return false;
  Digits in_order;
  for (const Axis& axis : axes) {
    if (axis.extent == 1) continue;
    const auto parts = parts_of(make_var(axis.name), axis.extent, reduced->digits);
    if (!parts) return false;
    in_order.insert(in_order.end(), parts->begin(), parts->end());
  }
  return in_order == reduced->digits;
}

}  // namespace tensordsl::classify

#include "runtime/values/bounds_of_size.h"

#include <algorithm>

namespace tensordsl::runtime {
namespace {

using ir::Interval;
using SizeKind = SizeExpr::Kind;

constexpr Interval kFalse = Interval::point(0), kTrue = Interval::point(1), kEither{0, 1};

class SizeBounds {
 public:
  explicit SizeBounds(const std::function<Interval(const std::string&)>& bounds) : bounds_(bounds) {}

  Interval of(const SizeExpr& size) const {
    if (const auto constant = size.constant()) return Interval::point(*constant);
    if (size.kind() == SizeKind::Name) return bounds_(std::string(size.name()));
    const Interval a = of(size.operands()[0]);
    if (size.kind() == SizeKind::Not) return a.is_point() ? Interval::point(a.low == 0) : kEither;
    if (size.kind() == SizeKind::Cast) return in_type(size.type(), a);
    if (size.kind() == SizeKind::Call) return of_call(size, a);
    if (size.kind() == SizeKind::And && a == kFalse) return kFalse;
    if (size.kind() == SizeKind::Or && a == kTrue) return kTrue;
    if (size.kind() == SizeKind::Select) {
      if (a.is_point()) return of(size.operands()[a.low != 0 ? 1 : 2]);
      return ir::hull(of(size.operands()[1]), of(size.operands()[2]));
    }
    return of_binary(size, a, of(size.operands()[1]));
  }

 private:
  /// Values of i32 and i64 are exact, values of other types wrap.
  static Interval in_type(Type type, Interval values) {
    if (type.is_int() && type.bits >= 32) return values;
    const Interval all = ir::range_of(type);
    return all.contains(values) ? values : all;
  }

  static Interval of_call(const SizeExpr& size, Interval a) {
    const Interval all = ir::range_of(size.type());
    if (size.name() == "promise_clamped") return a;
    if (size.name() == "bitwise_and" && a.low >= 0) return {0, a.high};
    if (size.name() == "popcount" || size.name() == "count_leading_zeros") return {0, size.type().bits};
    return all;
  }

  static Interval of_binary(const SizeExpr& size, Interval a, Interval b) {
    const Type type = size.type();
    switch (size.kind()) {
      case SizeKind::Add:
        return in_type(type, a + b);
      case SizeKind::Sub:
        return in_type(type, a - b);
      case SizeKind::Mul:
        return in_type(type, a * b);
      case SizeKind::Div:
        return in_type(type, floor_div(a, b));
      case SizeKind::Mod:
        return floor_mod(a, b);
      case SizeKind::Min:
        return min(a, b);
      case SizeKind::Max:
        return max(a, b);
      case SizeKind::Lt:
        return a.high < b.low ? kTrue : a.low >= b.high ? kFalse : kEither;
      case SizeKind::Le:
        return a.high <= b.low ? kTrue : a.low > b.high ? kFalse : kEither;
      case SizeKind::Eq:
        return are_apart(a, b) ? kFalse : a.is_point() && a == b ? kTrue : kEither;
      case SizeKind::Ne:
        return are_apart(a, b) ? kTrue : a.is_point() && a == b ? kFalse : kEither;
      case SizeKind::And:
        return b == kFalse ? kFalse : a == kTrue ? b : kEither;
      case SizeKind::Or:
        return b == kTrue ? kTrue : a == kFalse ? b : kEither;
      default:
        return ir::range_of(type);
    }
  }

  static bool are_apart(Interval a, Interval b) { return a.high < b.low || b.high < a.low; }

  const std::function<Interval(const std::string&)>& bounds_;
};

}  // namespace

ir::Interval bounds_of(const SizeExpr& size, const std::function<ir::Interval(const std::string&)>& bounds) {
  return SizeBounds(bounds).of(size);
}

}  // namespace tensordsl::runtime

// The value of a SizeExpr.
#include <fmt/format.h>

#include "base/arithmetic.h"
#include "base/size/size_arithmetic.h"
#include "base/size/size_function.h"
#include "tensordsl/error.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {
namespace {

using Kind = SizeExpr::Kind;

/// Returns true if values of the type wrap, as kernels compute them. Those of i32 and i64 are exact.
bool wraps(Type type) { return !type.is_int() || type.bits < 32; }

/// Computes in the type, in which operands and result wrap.
std::int64_t wrapped_value(Kind kind, Type type, std::int64_t left, std::int64_t right) {
  const std::int64_t a = wrapped_to(type, left), b = wrapped_to(type, right);
  const bool is_u64 = type == UInt(64);
  const auto quotient = [&] {
    return is_u64 ? static_cast<std::int64_t>(
                        floor_div(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)))
                  : floor_div(a, b);
  };
  switch (kind) {
    case Kind::Add:
      return wrapped_to(type, wrapping_add(a, b));
    case Kind::Sub:
      return wrapped_to(type, wrapping_sub(a, b));
    case Kind::Mul:
      return wrapped_to(type, wrapping_mul(a, b));
    case Kind::Div:
      return wrapped_to(type, quotient());
    case Kind::Mod:
      return b == 0 ? 0 : wrapped_to(type, wrapping_sub(a, wrapping_mul(quotient(), b)));
    case Kind::Min:
      return is_less(type, b, a) ? b : a;
    case Kind::Max:
      return is_less(type, a, b) ? b : a;
    case Kind::Eq:
      return a == b;
    case Kind::Ne:
      return a != b;
    case Kind::Lt:
      return is_less(type, a, b);
    case Kind::Le:
      return !is_less(type, b, a);
    default:
      throw InternalError("a size has an unknown binary operation");
  }
}

class SizeEvaluator {
 public:
  SizeEvaluator(const SizeExpr& whole, const SizeExpr::Values& values) : whole_(whole), values_(values) {}

  std::int64_t value_of(const SizeExpr& size) const {
    if (const auto constant = size.constant()) return *constant;
    const auto operand = [&](std::size_t i) { return value_of(size.operands()[i]); };
    switch (size.kind()) {
      case Kind::Name:
        return values_(std::string(size.name()));
      case Kind::Not:
        return operand(0) == 0;
      case Kind::Cast:
        if (!wraps(size.type())) return operand(0);
        return wrapped_to(size.type(), wrapped_to(size.operands()[0].type(), operand(0)));
      case Kind::And:
        return operand(0) != 0 && operand(1) != 0;
      case Kind::Or:
        return operand(0) != 0 || operand(1) != 0;
      case Kind::Select:
        return operand(0) != 0 ? operand(1) : operand(2);
      case Kind::Call: {
        const std::int64_t second = size.operands().size() > 1 ? operand(1) : 0;
        return apply(*find_size_function(size.name()), size.type(), operand(0), second);
      }
      default: {
        const Type type = size.operands()[0].type();
        const std::int64_t a = operand(0), b = operand(1);
        return wraps(type) ? wrapped_value(size.kind(), type, a, b) : exact_value(size.kind(), a, b);
      }
    }
  }

 private:
  std::int64_t exact_value(Kind kind, std::int64_t a, std::int64_t b) const {
    std::int64_t result = 0;
    const bool overflows = kind == Kind::Add   ? __builtin_add_overflow(a, b, &result)
                           : kind == Kind::Sub ? __builtin_sub_overflow(a, b, &result)
                           : kind == Kind::Mul ? __builtin_mul_overflow(a, b, &result)
                                               : kind == Kind::Div && a == INT64_MIN && b == -1;
    if (overflows) throw Error(fmt::format("\"{}\" overflows 64 bits", to_string(whole_)));
    return wrapped_value(kind, Int(64), a, b);
  }

  const SizeExpr& whole_;
  const SizeExpr::Values& values_;
};

}  // namespace

std::int64_t SizeExpr::evaluate(const Values& values) const {
  return SizeEvaluator(*this, values).value_of(*this);
}

}  // namespace tensordsl

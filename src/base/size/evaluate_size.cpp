// The value of a SizeExpr.
#include <fmt/format.h>

#include "base/arithmetic.h"
#include "base/scalar.h"
#include "base/size/size_function.h"
#include "tensordsl/error.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {
namespace {

using Kind = SizeExpr::Kind;

/// Returns true if values of the type wrap, as kernels compute them. Those of i32 and i64 are exact.
bool wraps(Type type) { return !type.is_int() || type.bits < 32; }

/// Computes in the type, which wraps.
std::int64_t wrapped_value(Kind kind, Type type, std::int64_t left, std::int64_t right) {
  return with_element(type, [&]<typename T>() -> std::int64_t {
    if constexpr (std::integral<T>) {
      const T a = static_cast<T>(left), b = static_cast<T>(right);
      if (kind == Kind::Eq) return a == b;
      if (kind == Kind::Ne) return a != b;
      if (kind == Kind::Lt) return a < b;
      if (kind == Kind::Le) return a <= b;
      if constexpr (Integer<T>) {
        if (kind == Kind::Add) return static_cast<std::int64_t>(wrapping_add(a, b));
        if (kind == Kind::Sub) return static_cast<std::int64_t>(wrapping_sub(a, b));
        if (kind == Kind::Mul) return static_cast<std::int64_t>(wrapping_mul(a, b));
        if (kind == Kind::Div) return static_cast<std::int64_t>(floor_div(a, b));
        if (kind == Kind::Mod) return static_cast<std::int64_t>(floor_mod(a, b));
        if (kind == Kind::Min) return static_cast<std::int64_t>(std::min(a, b));
        if (kind == Kind::Max) return static_cast<std::int64_t>(std::max(a, b));
      }
    }
    throw InternalError("a size has an operation that its type does not have");
  });
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
        return cast(size.type(), size.operands()[0].type(), operand(0));
      case Kind::And:
        return operand(0) != 0 && operand(1) != 0;
      case Kind::Or:
        return operand(0) != 0 || operand(1) != 0;
      case Kind::Select:
        return operand(0) != 0 ? operand(1) : operand(2);
      case Kind::Call: {
        const std::size_t count = size.operands().size();
        return find_size_function(size.name())
            ->value(size.type(), operand(0), count > 1 ? operand(1) : 0, count > 2 ? operand(2) : 0);
      }
      default: {
        const Type type = size.operands()[0].type();
        const std::int64_t a = operand(0), b = operand(1);
        return wraps(type) ? wrapped_value(size.kind(), type, a, b) : exact_value(size.kind(), a, b);
      }
    }
  }

 private:
  static std::int64_t cast(Type to, Type from, std::int64_t value) {
    if (!wraps(to)) return value;
    return with_element(from, [&]<typename From>() -> std::int64_t {
      if constexpr (std::integral<From>) {
        return scalar_of(to, static_cast<From>(value)).i;
      } else {
        throw InternalError("a size has a cast of a float");
      }
    });
  }

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

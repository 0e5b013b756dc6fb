#include "ir/operations/operations.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/arithmetic.h"
#include "ir/nodes/reinterpret.h"
#include "ir/operations/intrinsics.h"
#include "ir/operations/operation_entry.h"
#include "tensordsl/half.h"

namespace tensordsl::ir {
namespace {

/// `integers` on integers, `floats` on floats.
template <typename Integers, typename Floats>
constexpr auto by_number_kind(Integers, Floats) {
  return []<Number T>(T a, T b) -> T {
    if constexpr (Integer<T>) {
      return Integers{}(a, b);
    } else {
      return Floats{}(a, b);
    }
  };
}

struct OperatorEntry {
  ExprKind kind;
  OperationOn on;
};

constexpr OperatorEntry kOperators[] = {
    {ExprKind::Add, on_elements(by_number_kind([](auto a, auto b) { return wrapping_add(a, b); },
                                               [](auto a, auto b) { return a + b; }))},
    {ExprKind::Sub, on_elements(by_number_kind([](auto a, auto b) { return wrapping_sub(a, b); },
                                               [](auto a, auto b) { return a - b; }))},
    {ExprKind::Mul, on_elements(by_number_kind([](auto a, auto b) { return wrapping_mul(a, b); },
                                               [](auto a, auto b) { return a * b; }))},
    {ExprKind::Div, on_elements(by_number_kind([](auto a, auto b) { return floor_div(a, b); },
                                               [](auto a, auto b) { return a / b; }))},
    {ExprKind::Mod, on_elements([]<Integer T>(T a, T b) -> T { return floor_mod(a, b); })},
    // A device may take either of two zeros as the smaller one.
    {ExprKind::Min, on_elements(by_number_kind([](auto a, auto b) { return std::min(a, b); },
                                               [](auto a, auto b) { return std::fmin(a, b); }))},
    {ExprKind::Max, on_elements(by_number_kind([](auto a, auto b) { return std::max(a, b); },
                                               [](auto a, auto b) { return std::fmax(a, b); }))},
    {ExprKind::MinOrNan, on_elements([](std::floating_point auto a, std::floating_point auto b) {
       return b < a || std::isnan(b) ? b : a;
     })},
    {ExprKind::MaxOrNan, on_elements([](std::floating_point auto a, std::floating_point auto b) {
       return a < b || std::isnan(b) ? b : a;
     })},
    {ExprKind::Eq, on_elements([]<typename T>(T a, T b) -> bool { return a == b; })},
    {ExprKind::Ne, on_elements([]<typename T>(T a, T b) -> bool { return a != b; })},
    {ExprKind::Lt, on_elements([]<typename T>(T a, T b) -> bool { return a < b; })},
    {ExprKind::Le, on_elements([]<typename T>(T a, T b) -> bool { return a <= b; })},
    {ExprKind::And, on_elements([](std::same_as<bool> auto a, std::same_as<bool> auto b) { return a && b; })},
    {ExprKind::Or, on_elements([](std::same_as<bool> auto a, std::same_as<bool> auto b) { return a || b; })},
    {ExprKind::Not, on_elements([](std::same_as<bool> auto a) { return !a; })},
};

template <typename To, typename From>
Scalar cast(Scalar value, Scalar, Scalar) {
  return scalar_of<To>(converted<Computed<To>>(value_of<From>(value)));
}

/// The C++ type that holds the bits of an element.
template <typename Element>
using Bits = std::conditional_t<
    std::same_as<Element, double>, std::uint64_t,
    std::conditional_t<std::same_as<Element, float>, std::uint32_t,
                       std::conditional_t<std::same_as<Element, Half>, std::uint16_t, Element>>>;

template <typename Element>
Bits<Element> bits_of(Computed<Element> value) {
  if constexpr (std::same_as<Element, Half>) {
    return float_to_half(value);
  } else {
    return std::bit_cast<Bits<Element>>(value);
  }
}

template <typename Element>
Computed<Element> of_bits(Bits<Element> bits) {
  if constexpr (std::same_as<Element, Half>) {
    return half_to_float(bits);
  } else {
    return std::bit_cast<Element>(bits);
  }
}

template <typename To, typename From>
Scalar reinterpreted(Scalar value, Scalar, Scalar) {
  return scalar_of<To>(of_bits<To>(static_cast<Bits<To>>(bits_of<From>(value_of<From>(value)))));
}

}  // namespace

Operation find_operator(ExprKind kind, Type type) {
  for (const OperatorEntry& entry : kOperators) {
    if (entry.kind == kind) return entry.on(type);
  }
  return nullptr;
}

Operation find_cast(Type to, Type from) {
  return with_element(to, [&]<typename To>() {
    return with_element(from, []<typename From>() -> Operation { return &cast<To, From>; });
  });
}

Operation find_reinterpretation(Type to, Type from) {
  return with_element(to, [&]<typename To>() {
    return with_element(from, []<typename From>() -> Operation {
      if constexpr (sizeof(Bits<To>) == sizeof(Bits<From>) && !std::same_as<To, bool> &&
                    !std::same_as<From, bool>) {
        return &reinterpreted<To, From>;
      } else {
        return nullptr;
      }
    });
  });
}

Operation operation_of(const ExprNode& node, Type type) {
  if (node.kind == ExprKind::Cast) return find_cast(node.type, type);
  if (is_reinterpret(node)) return find_reinterpretation(node.type, type);
  if (node.kind != ExprKind::Intrinsic) return find_operator(node.kind, type);
  const IntrinsicEntry* intrinsic = find_intrinsic(node.name);
  return intrinsic ? intrinsic->on(type) : nullptr;
}

Operation operation_of(const ExprNode& node) {
  return node.operands.empty() ? nullptr : operation_of(node, node[0].type());
}

bool overflows(ExprKind kind, Type type, std::int64_t a, std::int64_t b) {
  return with_element(type, [&]<typename T>() {
    if constexpr (Integer<T>) {
      const T x = static_cast<T>(a), y = static_cast<T>(b);
      T result;
      switch (kind) {
        case ExprKind::Add:
          return __builtin_add_overflow(x, y, &result);
        case ExprKind::Sub:
          return __builtin_sub_overflow(x, y, &result);
        case ExprKind::Mul:
          return __builtin_mul_overflow(x, y, &result);
        case ExprKind::Div:
          return std::is_signed_v<T> && x == std::numeric_limits<T>::min() && y == static_cast<T>(-1);
        default:
          return false;
      }
    } else {
      return false;
    }
  });
}

}  // namespace tensordsl::ir

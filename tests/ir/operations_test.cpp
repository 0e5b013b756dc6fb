// The tables of operators, casts and intrinsics against the host's own operators.
#include "ir/operations/operations.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ir/element_values.h"
#include "ir/host_arithmetic.h"
#include "ir/nodes/integer_operations.h"
#include "ir/operations/intrinsics.h"
#include "ir/text/print.h"

using namespace tensordsl;
using namespace tensordsl::ir;

namespace {

constexpr ExprKind kArithmetic[] = {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div,
                                    ExprKind::Mod, ExprKind::Min, ExprKind::Max};
constexpr ExprKind kComparisons[] = {ExprKind::Eq, ExprKind::Ne, ExprKind::Lt, ExprKind::Le};
template <typename T>
bool is_same(T a, T b) {
  if constexpr (std::floating_point<T>) {
    return (a == b && std::signbit(a) == std::signbit(b)) || (std::isnan(a) && std::isnan(b));
  } else {
    return a == b;
  }
}

/// Counts checks, and reports the first one that fails.
class Check {
 public:
  template <typename T, typename... Operands>
  void operator()(bool is_right, T found, T expected, const std::string& operation, Operands... operands) {
    ++checked_;
    if (is_right || ++wrong_ > 1) return;
    FAIL_CHECK(operation, " of ", to_text(operands...), " gives ", +found, ", not ", +expected);
  }
  std::int64_t checked() const { return checked_; }
  ~Check() { CHECK(wrong_ == 0); }

 private:
  template <typename... Operands>
  static std::string to_text(Operands... operands) {
    std::string text;
    ((text += fmt::format("{} ", +operands)), ...);
    return text;
  }
  std::int64_t checked_ = 0, wrong_ = 0;
};

std::string name_of(ExprKind kind, Type type) {
  const Expr a = make_var("a", type), b = make_var("b", type);
  return print(kind == ExprKind::Not ? make_unary(kind, a) : make_binary(kind, a, b));
}

template <typename Element>
void check_operators(Type type, Check& check) {
  using T = Computed<Element>;
  const Values<Element> values = values_for_pairs<Element>();
  const auto for_pairs = [&](ExprKind kind, const auto& check_pair) {
    const Operation operation = find_operator(kind, type);
    REQUIRE((operation != nullptr));
    const std::string name = name_of(kind, type);
    for (const T a : values) {
      for (const T b : values) {
        check_pair(operation(scalar_of<Element>(a), scalar_of<Element>(b), {}), a, b, name);
      }
    }
  };
  for (const ExprKind kind : kComparisons) {
    for_pairs(kind, [&](Scalar found, T a, T b, const std::string& name) {
      const bool expected = host::compare<Element>(kind, a, b);
      check(found.i == expected, found.i, std::int64_t{expected}, name, a, b);
    });
  }
  if constexpr (Number<T>) {
    for (const ExprKind kind : kArithmetic) {
      if (kind == ExprKind::Mod && type.is_float()) continue;
      for_pairs(kind, [&](Scalar scalar, T a, T b, const std::string& name) {
        const T found = value_of<Element>(scalar);
        T expected;
        if constexpr (Integer<T>) {
          expected = static_cast<T>(host::arithmetic(kind, a, b));
        } else {
          expected = host::float_arithmetic<Element>(kind, a, b);
        }
        const bool is_either_zero = (kind == ExprKind::Min || kind == ExprKind::Max) && a == b && found == a;
        check(is_same(found, expected) || is_either_zero, found, expected, name, a, b);
      });
    }
  }
}

template <typename To, typename From>
void check_cast(Type to, Type from, Check& check) {
  const Operation operation = find_cast(to, from);
  const std::string name = fmt::format("{}(a:{})", to_string(to), to_string(from));
  for (const Computed<From> a : all_values<From>(2000)) {
    const Computed<To> found = value_of<To>(operation(scalar_of<From>(a), {}, {}));
    const Computed<To> expected = host::cast<To, From>(a);
    check(is_same(found, expected), found, expected, name, a);
  }
}

/// Neighboring values have neighboring numbers.
template <typename Element>
std::int64_t position(float value) {
  std::int64_t magnitude = std::bit_cast<std::uint32_t>(std::abs(value));
  if constexpr (std::same_as<Element, Half>) magnitude = float_to_half(std::abs(value));
  return value < 0 ? -magnitude : magnitude;
}

template <typename Element>
void check_intrinsic(const IntrinsicEntry& intrinsic, Type type, Check& check) {
  const auto function = host::intrinsics().find(intrinsic.name);
  REQUIRE_MESSAGE(function != host::intrinsics().end(), intrinsic.name, " has no reference");
  const Operation operation = intrinsic.on(type);
  REQUIRE((operation != nullptr));
  const auto check_at = [&](float a, float b, float c) {
    const float found = operation({.f = a}, {.f = b}, {.f = c}).f;
    const auto expected = static_cast<float>(host::rounded<Element>(function->second.value(a, b, c)));
    const bool is_near =
        !std::isnan(found) && !std::isnan(expected) &&
        std::abs(position<Element>(found) - position<Element>(expected)) <= function->second.ulps;
    check(is_same(found, expected) || (function->second.ulps > 0 && is_near), found, expected,
          fmt::format("{} on {}", intrinsic.name, to_string(type)), a, b, c);
  };
  if (intrinsic.operands == 1) {
    for (const float a : all_values<Element>(20000)) check_at(a, 0, 0);
    return;
  }
  const Values<Element> values = values_for_pairs<Element>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j)
      check_at(values[i], values[j], values[(i * 7 + j) % values.size()]);
  }
}

/// True for an intrinsic that floats do not have.
bool is_of_bits(const IntrinsicEntry& intrinsic) { return intrinsic.on(Float(32)) == nullptr; }

TEST_CASE("operations: every operator gives what the host's operators give, for every pair of 8 bits") {
  Check check;
  for (const Type type : kTypes) {
    with_element(type, [&]<typename Element>() { check_operators<Element>(type, check); });
  }
  CHECK(check.checked() > 2 * 11 * 65536);
}

TEST_CASE("operations: logic on bools") {
  for (const bool a : {false, true}) {
    CHECK(find_operator(ExprKind::Not, Bool())({.i = a}, {}, {}).i == !a);
    for (const bool b : {false, true}) {
      CHECK(find_operator(ExprKind::And, Bool())({.i = a}, {.i = b}, {}).i == (a && b));
      CHECK(find_operator(ExprKind::Or, Bool())({.i = a}, {.i = b}, {}).i == (a || b));
    }
  }
}

TEST_CASE("operations: every cast gives what the host's conversions give, for every value of 8 and 16 bits") {
  Check check;
  for (const Type from : kTypes) {
    for (const Type to : kTypes) {
      with_element(from, [&]<typename From>() {
        with_element(to, [&]<typename To>() { check_cast<To, From>(to, from, check); });
      });
    }
  }
  CHECK(check.checked() > 7 * 65536);
}

TEST_CASE("operations: every intrinsic gives what the host computes in double, for every half") {
  Check check;
  for (const IntrinsicEntry& intrinsic : intrinsics()) {
    if (is_of_bits(intrinsic)) continue;
    CAPTURE(intrinsic.name);
    check_intrinsic<Half>(intrinsic, Float(16), check);
    check_intrinsic<float>(intrinsic, Float(32), check);
    CHECK(find_intrinsic(intrinsic.name) == &intrinsic);
  }
  CHECK(check.checked() > 11 * 65536);
}

TEST_CASE("operations: those that hardware has on integers, wherever a device says what they are") {
  Check check;
  for (const Type type : kTypes) {
    with_element(type, [&]<typename Element>() {
      if constexpr (Integer<Element>) {
        const Values<Element> values = all_values<Element>();
        for (const IntegerOperation& operation : kIntegerOperations) {
          const Operation found_by = find_intrinsic(operation.name)->on(type);
          REQUIRE((found_by != nullptr));
          for (const Element a : values) {
            for (const Element b : values) {
              const auto expected = host::integer_operation(operation.kind, a, b);
              if (!expected) continue;
              const Element found =
                  value_of<Element>(found_by(scalar_of<Element>(a), scalar_of<Element>(b), {}));
              check(found == *expected, found, *expected, std::string(operation.name), a, b);
            }
          }
        }
      }
    });
  }
  CHECK(check.checked() > 7 * 4 * 65536 / 4);
}

TEST_CASE("operations: counts of bits, for every type and value") {
  Check check;
  for (const Type type : kTypes) {
    with_element(type, [&]<typename Element>() {
      if constexpr (Integer<Element>) {
        const Operation ones = find_intrinsic("popcount")->on(type);
        const Operation zeros = find_intrinsic("count_leading_zeros")->on(type);
        for (const Element value : all_values<Element>()) {
          int all = 0, leading = type.bits;
          for (int bit = 0; bit < type.bits; ++bit) {
            if (((static_cast<std::uint64_t>(value) >> bit) & 1) == 0) continue;
            ++all;
            leading = type.bits - 1 - bit;
          }
          const Scalar a = scalar_of<Element>(value);
          check(ones(a, {}, {}).i == all, ones(a, {}, {}).i, std::int64_t{all}, "popcount", value);
          check(zeros(a, {}, {}).i == leading, zeros(a, {}, {}).i, std::int64_t{leading}, "zeros", value);
        }
      }
    });
  }
}

TEST_CASE("operations: fma rounds once, where mad rounds twice") {
  const Operation fma = find_intrinsic("fma")->on(Float(32)), mad = find_intrinsic("mad")->on(Float(32));
  const Scalar a{.f = 1 + 0x1p-12}, c{.f = -(1 + 0x1p-11)};
  CHECK(fma(a, a, c).f == 0x1p-24);
  CHECK(mad(a, a, c).f == 0);
}

TEST_CASE("operations: doubles keep their digits") {
  CHECK(find_operator(ExprKind::Add, Float(64))({.f = 1}, {.f = 0x1p-40}, {}).f == 1 + 0x1p-40);
  CHECK(find_operator(ExprKind::Add, Float(32))({.f = 1}, {.f = 0x1p-40}, {}).f == 1);
  CHECK(find_intrinsic("sqrt")->on(Float(64))({.f = 2}, {}, {}).f == std::sqrt(2.0));
}

TEST_CASE("overflows: wherever the exact result of an integer operation is none of its type") {
  Check check;
  for (const Type type : kTypes) {
    with_element(type, [&]<typename Element>() {
      if constexpr (Integer<Element>) {
        const Values<Element> values = all_values<Element>();
        for (const ExprKind kind : {ExprKind::Add, ExprKind::Sub, ExprKind::Mul, ExprKind::Div}) {
          for (const Element a : values) {
            for (const Element b : values) {
              const host::Wide exact = host::arithmetic(kind, a, b);
              const bool expected = exact != static_cast<Element>(exact);
              const bool found =
                  overflows(kind, type, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
              check(found == expected, found, expected, "overflow in " + name_of(kind, type), a, b);
            }
          }
        }
      }
    });
  }
}

TEST_CASE("operations: what verify refuses is no operation") {
  for (const Type type : kTypes) {
    for (int kind = 0; kind <= static_cast<int>(ExprKind::Call); ++kind) {
      const auto k = static_cast<ExprKind>(kind);
      const bool is_number = !type.is_bool();
      const bool expected =
          is_comparison(k) ||
          (is_number && std::ranges::count(kArithmetic, k) > 0 && !(k == ExprKind::Mod && type.is_float())) ||
          (type.is_float() && (k == ExprKind::MinOrNan || k == ExprKind::MaxOrNan)) ||
          (!is_number && (k == ExprKind::And || k == ExprKind::Or || k == ExprKind::Not));
      CAPTURE(kind);
      CAPTURE(to_string(type));
      CHECK((find_operator(k, type) != nullptr) == expected);
    }
    for (const IntrinsicEntry& intrinsic : intrinsics()) {
      const bool is_of_integers = is_of_bits(intrinsic);
      CHECK((intrinsic.on(type) != nullptr) == (is_of_integers ? type.is_integer() : type.is_float()));
    }
  }
}

}  // namespace

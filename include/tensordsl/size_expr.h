// Sizes of a Program: integer expressions over its Params.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tensordsl/type.h"

namespace tensordsl {

/// An integer expression over Params, such as (n + 7)/8*64. It is an extent, a number of work-groups, or a
/// condition, which is 0 or 1. It is immutable: copies share their operands.
///
/// Values are exact 64-bit integers. Those of unsigned types and of 8 and 16 bits wrap, as in kernels.
/// Division and remainder floor, and are 0 for a divisor of 0.
class SizeExpr {
 public:
  /// Operation of an expression. All but Integer and Name have operands.
  enum class Kind : std::uint8_t {
    Integer,  ///< a constant
    Name,     ///< a Param
    Not,      ///< !a, of a Bool
    Cast,     ///< i64(a), to an integer type
    Add,      ///< a + b
    Sub,      ///< a - b
    Mul,      ///< a*b
    Div,      ///< a/b
    Mod,      ///< a%b
    Min,      ///< min(a, b)
    Max,      ///< max(a, b)
    Eq,       ///< a == b
    Ne,       ///< a != b
    Lt,       ///< a < b
    Le,       ///< a <= b
    And,      ///< a && b; b is computed only where a holds
    Or,       ///< a || b; b is computed only where a does not hold
    Select,   ///< select(condition, a, b); only one of a and b is computed
    Call,     ///< a function on the bits of integers, such as shift_left(a, b)
  };
  /// Function that returns the value of a Param by its name.
  using Values = std::function<std::int64_t(const std::string& name)>;

  /// Makes the constant 0.
  SizeExpr() = default;
  /// Makes a constant, an i32 if that can hold it, else an i64.
  template <std::integral T>
  requires(!std::same_as<T, bool>) SizeExpr(T value)  // NOLINT: numbers are sizes
      : SizeExpr(integer(static_cast<std::int64_t>(value))) {}
  /// Parses the text, as parse() does.
  SizeExpr(const char* text) : SizeExpr(parse(text)) {}  // NOLINT: texts read as the sizes that they are
  /// Parses the text, as parse() does.
  SizeExpr(const std::string& text)
      : SizeExpr(parse(text)) {}  // NOLINT: texts read as the sizes that they are

  /// Parses to_string()'s text: "(n + 7)/8*64", "select(n < 4, 1, k:i64)". Throws ParseError.
  static SizeExpr parse(std::string_view text);
  /// Returns a constant, an i32 if that can hold it, else an i64.
  static SizeExpr integer(std::int64_t value);
  /// Returns a constant of an integer type or of Bool; `value` wraps to it.
  static SizeExpr integer(Type type, std::int64_t value);
  /// Returns the Param of this name.
  static SizeExpr param(const std::string& name, Type type = Int(32));
  /// Returns an operation from Not to Select, other than Cast. Throws Error if the operation does not take
  /// this number or these types of operands.
  static SizeExpr operation(Kind kind, std::vector<SizeExpr> operands);
  /// Returns `value` as another integer type. Throws Error on other types.
  static SizeExpr cast(Type type, SizeExpr value);
  /// Returns a Call. Throws Error if there is no such function, or it has other operands.
  static SizeExpr call(const std::string& function, std::vector<SizeExpr> operands);

  Kind kind() const { return node_ ? node_->kind : Kind::Integer; }  ///< the operation
  Type type() const { return node_ ? node_->type : Int(32); }        ///< an integer type or Bool
  /// Returns the number, if it is a constant. A u64 keeps its bits.
  std::optional<std::int64_t> constant() const;
  /// Returns the name of a Param, or the function of a Call; empty for others.
  std::string_view name() const { return node_ ? std::string_view(node_->name) : std::string_view(); }
  /// Returns the operands, in order.
  std::span<const SizeExpr> operands() const;

  /// Computes the value. Throws Error on an overflow, and the errors of `values`.
  std::int64_t evaluate(const Values& values) const;

  /// True for equal operations on equal operands: n + 1 does not equal 1 + n.
  friend bool operator==(const SizeExpr& a, const SizeExpr& b);
  /// Returns the names of the Params in it, in order, each as often as it occurs.
  friend std::vector<std::string> names_in(const SizeExpr& size);

 private:
  struct Node {
    Kind kind = Kind::Integer;
    Type type;
    std::int64_t value = 0;
    std::string name;
    std::vector<SizeExpr> operands;
  };
  explicit SizeExpr(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

  std::shared_ptr<const Node> node_;  // null: a constant of i32, which is the most frequent size
  std::int32_t value_ = 0;            // value of such a constant
};

bool operator==(const SizeExpr& a, const SizeExpr& b);
/// Returns the names of the Params in it, in order, each as often as it occurs.
std::vector<std::string> names_in(const SizeExpr& size);

/// Returns the text that SizeExpr::parse() reads: "(n + 7)/8*64".
std::string to_string(const SizeExpr& size);

}  // namespace tensordsl

// Text -> a SizeExpr
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/size/size_function.h"
#include "base/text/expression_parser.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {
namespace {

struct SizeBuilder {
  using Node = SizeExpr;
  using Kind = SizeExpr::Kind;
  using Refusal = Error;
  static SizeExpr operation(Kind kind, std::vector<SizeExpr> operands) {
    return SizeExpr::operation(kind, std::move(operands));
  }
};

class SizeParser final : public ExpressionParser<SizeBuilder> {
 public:
  using ExpressionParser::ExpressionParser;

 private:
  /// Refuses parts of the IR's notation that sizes do not have: floats and loads.
  [[noreturn]] void refuse() const {
    constexpr std::size_t kLongest = 10000;
    throw ParseError(fmt::format("\"{}\" is not an integer expression", text().substr(0, kLongest)));
  }

  Type type_or_i32() {
    if (!skip(":")) return Int(32);
    const Type result = type();
    if (result.is_float() || result.is_vector()) refuse();
    return result;
  }

  SizeExpr named(const Token& first) override {
    set_leaf();
    if (first.text == "true" || first.text == "false") return SizeExpr::integer(Bool(), first.text == "true");
    if (skip("(")) return function(first, operands_until(")"));
    if (at("[")) refuse();
    const std::string name(first.text);
    return SizeExpr::param(name, type_or_i32());
  }

  SizeExpr number(bool is_negative) override {
    set_leaf();
    const Token digits = take();
    if (digits.text.find_first_of(".eE") != std::string_view::npos) refuse();
    const std::string text = fmt::format("{}{}", is_negative ? "-" : "", digits.text);
    const Token type_token = next();
    const Type type = type_or_i32();
    if (type.is_bool()) invalid(type_token, fmt::format("{} is not a constant of type bool", text));
    return SizeExpr::integer(type, integer(digits, text, type));
  }

  SizeExpr function(const Token& called, std::vector<SizeExpr> operands) {
    add_level();
    if (std::optional<SizeExpr> result = basic_function(called, operands)) return *std::move(result);
    const std::string name(called.text);
    return checked(called, [&]() -> SizeExpr {
      if (const std::optional<Type> type = parse_type(name)) {
        require_operands(called, 1, operands.size());
        return SizeExpr::cast(*type, operands[0]);
      }
      if (find_size_function(name)) return SizeExpr::call(name, std::move(operands));
      fail(called, "a type or an integer function before '('");
    });
  }
};

}  // namespace

SizeExpr SizeExpr::parse(std::string_view text) { return SizeParser(text).whole_expression(); }

}  // namespace tensordsl

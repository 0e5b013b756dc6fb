// Parses expressions by the precedence of their operators, for the texts of sizes and of the IR.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text/operator_notation.h"
#include "base/text/token_reader.h"

namespace tensordsl {

/// Parses operators, parentheses and lists of operands. A notation derives from it and defines its terms.
///
/// `Builder` makes the nodes: it has the types Node, Kind (of the operators) and Refusal (the exception for
/// operands that do not go together), and `static Node operation(Kind, std::vector<Node>)`.
template <typename Builder>
class ExpressionParser : protected TokenReader {
 public:
  using Node = typename Builder::Node;
  using Kind = typename Builder::Kind;

  explicit ExpressionParser(std::string_view text) : TokenReader(text) {}

  Node whole_expression() {
    Node result = expression();
    if (!at(Token::Kind::End)) fail("the end of the text");
    return result;
  }

 protected:
  ~ExpressionParser() = default;

  /// A level of the recursion.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) { parser_.limit(++parser_.depth_); }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  // Callbacks of the notation. Each sets the height of its result.

  /// True if the next token begins a number.
  virtual bool is_at_number() const { return at(Token::Kind::Number); }
  virtual Node number(bool is_negative) = 0;
  /// Reads a term that begins with a name, which was taken.
  virtual Node named(const Token& first) = 0;

  // Functions for the notation to call.

  Node expression(int minimum = notation::kOr) {
    const Nesting nesting(*this);
    Node left = unary();
    int height = height_;
    for (;;) {
      const auto op =
          std::ranges::find_if(notation::kBinaryOperators<Kind>,
                               [&](const notation::OperatorNotation<Kind>& o) { return at(o.symbol); });
      if (op == notation::kBinaryOperators<Kind>.end() || op->precedence < minimum) break;
      const Token symbol = take();
      const Node right = expression(op->precedence + 1);
      height = std::max(height, height_) + 1;
      limit(height);
      left = operation(symbol, op->kind, {left, right});
    }
    height_ = height;
    return left;
  }

  /// Reads operands, of which there is at least one. Sets the height of the highest one.
  std::vector<Node> operands() {
    std::vector<Node> items;
    int height = 0;
    do {
      items.push_back(expression());
      height = std::max(height, height_);
    } while (skip(","));
    height_ = height;
    return items;
  }

  std::vector<Node> operands_until(std::string_view closing) {
    std::vector<Node> items = operands();
    expect(closing);
    return items;
  }

  template <typename Build>
  auto checked(const Token& at, Build build) const {
    return TokenReader::checked<typename Builder::Refusal>(at, build);
  }

  Node operation(const Token& at, Kind kind, std::vector<Node> operands) const {
    return checked(at, [&] { return Builder::operation(kind, std::move(operands)); });
  }

  void require_operands(const Token& called, std::size_t count, std::size_t found) const {
    if (found != count)
      invalid(called, fmt::format("{} takes {} operands, found {}", called.text, count, found));
  }

  /// Returns min, max or select of the operands; nothing if another function is called.
  std::optional<Node> basic_function(const Token& called, const std::vector<Node>& operands) const {
    const bool is_select = called.text == "select";
    if (!is_select && called.text != "min" && called.text != "max") return std::nullopt;
    require_operands(called, is_select ? 3 : 2, operands.size());
    return operation(called,
                     is_select              ? Kind::Select
                     : called.text == "min" ? Kind::Min
                                            : Kind::Max,
                     operands);
  }

  /// Sets the depth of the tree that was read last, which limit() bounds: set_leaf() starts it, add_level()
  /// adds a parent.
  void set_leaf() { height_ = 1; }
  void add_level() { limit(++height_); }

 private:
  Node unary() {
    const Nesting nesting(*this);
    const Token first = next();
    if (skip("!")) {
      const Node operand = unary();
      add_level();
      return operation(first, Kind::Not, {operand});
    }
    if (skip("-")) {
      if (!is_at_number()) fail("a number");
      return number(true);
    }
    if (skip("(")) {
      Node inner = expression();
      expect(")");
      return inner;
    }
    if (is_at_number()) return number(false);
    if (!at(Token::Kind::Name)) fail("an expression");
    return named(take());
  }

  int depth_ = 0;
  int height_ = 0;  // the depth of the tree that was read last
};

}  // namespace tensordsl

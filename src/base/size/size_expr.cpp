#include "tensordsl/size_expr.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/size/size_arithmetic.h"
#include "base/size/size_function.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Kind = SizeExpr::Kind;

bool is_size_comparison(Kind kind) {
  return kind == Kind::Eq || kind == Kind::Ne || kind == Kind::Lt || kind == Kind::Le;
}

bool is_type_of_sizes(Type type) { return !type.is_vector() && (type.is_integer() || type.is_bool()); }

void require_operands_of_size(bool condition, std::string_view rule) {
  if (!condition) throw Error(std::string(rule));
}

void require_same_type(const SizeExpr& a, const SizeExpr& b) {
  if (a.type() == b.type()) return;
  throw Error(fmt::format("operands have different types, {} and {}", to_string(a), to_string(b)));
}

/// Checks the operands, and returns the type of the result.
Type checked_type(Kind kind, std::span<const SizeExpr> operands) {
  const std::size_t count = kind == Kind::Not ? 1 : kind == Kind::Select ? 3 : 2;
  require_operands_of_size(operands.size() == count, "wrong number of operands");
  const Type type = operands[0].type();
  if (kind == Kind::Not) {
    require_operands_of_size(type.is_bool(), "`!` needs a Bool");
    return type;
  }
  if (kind == Kind::Select) {
    require_operands_of_size(type.is_bool(), "the condition of select must be a Bool");
    require_same_type(operands[1], operands[2]);
    return operands[1].type();
  }
  require_same_type(operands[0], operands[1]);
  const bool is_logical = kind == Kind::And || kind == Kind::Or;
  require_operands_of_size(!is_logical || type.is_bool(), "`&&` and `||` need Bools");
  if (is_logical || is_size_comparison(kind)) return Bool();
  require_operands_of_size(!type.is_bool(), "a Bool cannot be an operand of arithmetic");
  return type;
}

}  // namespace

SizeExpr SizeExpr::integer(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  const bool is_small = value >= Limits::min() && value <= Limits::max();
  return integer(Int(is_small ? 32 : 64), value);
}

SizeExpr SizeExpr::integer(Type type, std::int64_t value) {
  if (!is_type_of_sizes(type))
    throw Error(fmt::format("the type of a size cannot be {}", tensordsl::to_string(type)));
  if (type != Int(32)) return SizeExpr(Node{Kind::Integer, type, wrapped_to(type, value), {}, {}});
  SizeExpr result;
  result.value_ = static_cast<std::int32_t>(value);
  return result;
}

SizeExpr SizeExpr::param(const std::string& name, Type type) {
  if (!is_type_of_sizes(type))
    throw Error(fmt::format("a Param in a size cannot be of type {}", tensordsl::to_string(type)));
  return SizeExpr(Node{Kind::Name, type, 0, name, {}});
}

SizeExpr SizeExpr::operation(Kind kind, std::vector<SizeExpr> operands) {
  const bool has_operands = kind != Kind::Integer && kind != Kind::Name;
  require_operands_of_size(has_operands && kind != Kind::Cast && kind != Kind::Call,
                           "this operation is not made from operands alone");
  const Type type = checked_type(kind, operands);
  return SizeExpr(Node{kind, type, 0, {}, std::move(operands)});
}

SizeExpr SizeExpr::cast(Type type, SizeExpr value) {
  if (value.type() == type) return value;
  if (!type.is_integer() || type.is_vector())
    throw Error(fmt::format("the type of a size cannot be {}", tensordsl::to_string(type)));
  return SizeExpr(Node{Kind::Cast, type, 0, {}, {std::move(value)}});
}

SizeExpr SizeExpr::call(const std::string& function, std::vector<SizeExpr> operands) {
  const SizeFunction* known = find_size_function(function);
  if (!known) throw Error(fmt::format("{} is not a function of sizes", function));
  if (operands.size() != known->operands)
    throw Error(fmt::format("{} takes {} operands, found {}", function, known->operands, operands.size()));
  const Type type = operands[0].type();
  if (!type.is_integer()) throw Error(fmt::format("{} needs integers", function));
  for (const SizeExpr& operand : operands) require_same_type(operands[0], operand);
  return SizeExpr(Node{Kind::Call, type, 0, function, std::move(operands)});
}

std::optional<std::int64_t> SizeExpr::constant() const {
  if (!node_) return value_;
  return node_->kind == Kind::Integer ? std::optional(node_->value) : std::nullopt;
}

std::span<const SizeExpr> SizeExpr::operands() const {
  return node_ ? std::span<const SizeExpr>(node_->operands) : std::span<const SizeExpr>();
}

bool operator==(const SizeExpr& a, const SizeExpr& b) {
  if (!a.node_ || !b.node_) return !a.node_ && !b.node_ && a.value_ == b.value_;
  if (a.node_ == b.node_) return true;
  return a.node_->kind == b.node_->kind && a.node_->type == b.node_->type &&
         a.node_->value == b.node_->value && a.node_->name == b.node_->name &&
         std::ranges::equal(a.node_->operands, b.node_->operands);
}

std::vector<std::string> names_in(const SizeExpr& size) {
  if (!size.node_) return {};
  std::vector<std::string> names;
  if (size.node_->kind == Kind::Name) names.push_back(size.node_->name);
  for (const SizeExpr& operand : size.node_->operands) {
    const std::vector<std::string> more = names_in(operand);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

}  // namespace tensordsl

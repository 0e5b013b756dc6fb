#include "ir/nodes/size_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "ir/nodes/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl::ir {
namespace {

using Kind = SizeExpr::Kind;

constexpr std::pair<ExprKind, Kind> kKindsOfSizes[] = {
    {ExprKind::Not, Kind::Not}, {ExprKind::Add, Kind::Add}, {ExprKind::Sub, Kind::Sub},
    {ExprKind::Mul, Kind::Mul}, {ExprKind::Div, Kind::Div}, {ExprKind::Mod, Kind::Mod},
    {ExprKind::Min, Kind::Min}, {ExprKind::Max, Kind::Max}, {ExprKind::Eq, Kind::Eq},
    {ExprKind::Ne, Kind::Ne},   {ExprKind::Lt, Kind::Lt},   {ExprKind::Le, Kind::Le},
    {ExprKind::And, Kind::And}, {ExprKind::Or, Kind::Or},   {ExprKind::Select, Kind::Select},
};

/// Operands that several operations share are converted once.
class SizeConverter {
 public:
  explicit SizeConverter(const Expr& whole) : whole_(whole) {}

  SizeExpr convert(const Expr& expr) {
    if (expr->operands.empty()) return convert_leaf(expr);
    if (const auto known = converted_.find(expr.get()); known != converted_.end()) return known->second;
    std::vector<SizeExpr> operands;
    for (const Expr& operand : expr->operands) operands.push_back(convert(operand));
    return converted_.emplace(expr.get(), operation(*expr, std::move(operands))).first->second;
  }

 private:
  SizeExpr convert_leaf(const Expr& expr) const {
    const Type type = expr.type();
    if (type.is_float() || type.is_vector()) refuse();
    if (expr->kind == ExprKind::IntImm) return SizeExpr::integer(type, expr->value);
    if (expr->kind == ExprKind::Var) return SizeExpr::param(expr->name, type);
    refuse();
  }

  SizeExpr operation(const ExprNode& node, std::vector<SizeExpr> operands) const {
    try {
      if (node.kind == ExprKind::Cast) return SizeExpr::cast(node.type, std::move(operands[0]));
      if (node.kind == ExprKind::Intrinsic) return SizeExpr::call(node.name, std::move(operands));
      const auto kind = std::ranges::find(kKindsOfSizes, node.kind, &std::pair<ExprKind, Kind>::first);
      if (kind != std::end(kKindsOfSizes)) return SizeExpr::operation(kind->second, std::move(operands));
    } catch (const Error&) {
      // The operation is not one of sizes, which is said of the whole expression.
    }
    refuse();
  }

  [[noreturn]] void refuse() const {
    throw Error(fmt::format("\"{}\" is not an integer expression", to_string(whole_)));
  }

  const Expr& whole_;
  std::unordered_map<const ExprNode*, SizeExpr> converted_;
};

}  // namespace

SizeExpr to_size(const Expr& expr) { return SizeConverter(expr).convert(expr); }

std::vector<SizeExpr> to_sizes(const std::vector<Expr>& exprs) {
  std::vector<SizeExpr> sizes;
  for (const Expr& expr : exprs) sizes.push_back(to_size(expr));
  return sizes;
}

Expr to_expr(const SizeExpr& size) {
  if (const auto constant = size.constant()) return make_int(size.type(), *constant);
  if (size.kind() == Kind::Name) return make_var(std::string(size.name()), size.type());
  std::vector<Expr> operands;
  for (const SizeExpr& operand : size.operands()) operands.push_back(to_expr(operand));
  switch (size.kind()) {
    case Kind::Not:
      return make_unary(ExprKind::Not, operands[0]);
    case Kind::Cast:
      return make_cast(size.type(), operands[0]);
    case Kind::Select:
      return make_select(operands[0], operands[1], operands[2]);
    case Kind::Call:
      return make_intrinsic(size.type(), std::string(size.name()), std::move(operands));
    default: {
      const auto kind = std::ranges::find(kKindsOfSizes, size.kind(), &std::pair<ExprKind, Kind>::second);
      return make_binary(kind->first, operands[0], operands[1]);
    }
  }
}

std::vector<Expr> to_exprs(const std::vector<SizeExpr>& sizes) {
  std::vector<Expr> exprs;
  for (const SizeExpr& size : sizes) exprs.push_back(to_expr(size));
  return exprs;
}

}  // namespace tensordsl::ir

#include "ir/nodes/expr_node.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <set>

#include "base/scalar.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/function.h"
#include "ir/nodes/sub_groups.h"
#include "ir/nodes/work_counter.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace ir;

Expr Expr::integer_constant(Type type, std::int64_t value) { return make_int(type, value); }
Expr Expr::real_constant(double value) { return make_literal(value); }

Type Expr::type() const { return node_ ? node_->type : Type{}; }

namespace {

/// Pairs of nodes that were compared before, or are being compared: one difference ends it all, so there was
/// none. Without it, two expressions that share sub-expressions, each its own, would be compared along every
/// path.
using Compared = std::set<std::pair<const ExprNode*, const ExprNode*>>;

bool same_nodes(const Expr& a, const Expr& b, Compared& compared) {
  constexpr int kFewLevels = 8;
  if (a.get() == b.get()) return true;
  if (!a.defined() || !b.defined() || a->hash != b->hash) return false;
  if (a->kind != b->kind || a->type != b->type || a->value != b->value || a->name != b->name ||
      std::bit_cast<std::uint64_t>(a->number) != std::bit_cast<std::uint64_t>(b->number) ||
      a->function != b->function || a->component != b->component ||
      a->operands.size() != b->operands.size()) {
    return false;
  }
  if (a->levels > kFewLevels && !compared.emplace(a.get(), b.get()).second) return true;
  for (std::size_t i = 0; i < a->operands.size(); ++i) {
    if (!same_nodes((*a)[i], (*b)[i], compared)) return false;
  }
  return true;
}

}  // namespace

bool same(const Expr& a, const Expr& b) {
  Compared compared;
  return same_nodes(a, b, compared);
}

namespace ir {
namespace {

void require_operands(bool condition, std::string_view builder, std::string_view rule) {
  if (!condition) throw InternalError(fmt::format("{}: {}", builder, rule));
}

void mix(std::uint64_t& hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdull;
  hash ^= hash >> 32;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return h;
}

Expr finished_expr(ExprNode node) {
  WorkCounter::count();
  std::uint64_t h = static_cast<std::uint64_t>(node.kind);
  mix(h, (static_cast<std::uint64_t>(node.type.code) << 32) |
             (static_cast<std::uint64_t>(node.type.bits) << 16) | node.type.lanes);
  mix(h, static_cast<std::uint64_t>(node.value));
  mix(h, std::bit_cast<std::uint64_t>(node.number));
  mix(h, hash_of(node.name));
  if (node.component != kWhole) mix(h, static_cast<std::uint64_t>(node.component));
  if (!node.name.empty()) node.names = NameFilter(node.name);
  for (const Expr& e : node.operands) {
    require_operands(e.defined(), "expression", "an operand is undefined");
    mix(h, e->hash);
    node.names.add(e->names);
    node.levels = std::max(node.levels, e->levels + 1);
  }
  if (node.levels > kMaxLevels) {
    throw DefinitionError(fmt::format(
        "an expression is more than {} operators deep; move part of it into a Func with compute_root()",
        kMaxLevels));
  }
  node.hash = h;
  return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

/// Returns the constant in every lane of the type.
Expr make_immediate(ExprKind kind, Type type, std::int64_t value, double number) {
  ExprNode node{.kind = kind,
                .type = type.element(),
                .operands = {},
                .value = value,
                .number = number,
                .name = {},
                .function = nullptr,
                .hash = 0,
                .names = {},
                .levels = 1};
  return make_broadcast(finished_expr(std::move(node)), type.lanes);
}

}  // namespace

std::string buffer_name(const std::string& tensor, int component) {
  return component == kWhole ? tensor : fmt::format("{}.{}", tensor, component);
}

Expr make_int(Type type, std::int64_t value) {
  require_operands(!type.is_float(), "make_int", "the type is a float");
  return make_immediate(ExprKind::IntImm, type, scalar_of(type, value).i, 0);
}

Expr make_float(Type type, double value) {
  require_operands(type.is_float(), "make_float", "the type is not a float");
  return make_immediate(ExprKind::FloatImm, type, 0, scalar_of(type, value).f);
}

Expr make_literal(double value) {
  const Expr rounded = make_float(Float(32), value);
  if (rounded->number == value || std::isnan(value)) return rounded;
  ExprNode node = *rounded;
  node.value = std::bit_cast<std::int64_t>(value);
  return finished_expr(std::move(node));
}

double exact_number(const ExprNode& literal) {
  return literal.value == 0 ? literal.number : std::bit_cast<double>(literal.value);
}

Expr make_const(Type type, double value) {
  return type.is_float() ? make_float(type, value) : make_int(type, static_cast<std::int64_t>(value));
}

Expr make_zero(Type type) { return make_const(type, 0); }

Expr make_bool(bool value) { return make_int(Bool(), value); }

namespace {

Expr make_node(ExprKind kind, Type type, std::vector<Expr> operands, std::string name = {},
               std::int64_t value = 0, std::shared_ptr<const Function> function = nullptr,
               int component = kWhole) {
  return finished_expr({.kind = kind,
                        .type = type,
                        .operands = std::move(operands),
                        .value = value,
                        .number = 0,
                        .name = std::move(name),
                        .function = std::move(function),
                        .hash = 0,
                        .names = {},
                        .levels = 1,
                        .component = component});
}

/// A scalar operand of a vector operation stands for that value in every lane.
Expr widened(const Expr& e, int lanes) { return e.type().lanes == 1 ? make_broadcast(e, lanes) : e; }

}  // namespace

Expr make_var(const std::string& name, Type type) { return make_node(ExprKind::Var, type, {}, name); }

Expr make_param(const std::string& name, Type type) {
  return make_node(ExprKind::Var, type, {}, name, static_cast<std::int64_t>(VarMark::Param));
}

Expr make_reduction_var(const std::string& name, const std::vector<Expr>& ranges,
                        std::shared_ptr<const Function> predicate) {
  return make_node(ExprKind::Var, Int(32), ranges, name, static_cast<std::int64_t>(VarMark::Reduction),
                   std::move(predicate));
}

Expr predicate_of(const Expr& reduction_var) {
  const auto& domain = reduction_var->function;
  return domain && !domain->definitions.empty() ? domain->definitions[0].predicate : Expr();
}

Expr unmarked(const Expr& expr) {
  const auto plain = [](const Expr& e) {
    if (e->kind == ExprKind::FloatImm && e->value != 0) return make_float(e->type, e->number);
    const bool is_marked = e->kind == ExprKind::Var && e->value != static_cast<std::int64_t>(VarMark::Plain);
    return is_marked ? make_var(e->name, e->type) : e;
  };
  return rewrite(expr, plain);
}

bool is_launch_constant(const Expr& expr) {
  bool result = true;
  visit(expr, [&](const Expr& e) {
    const bool is_param = e->kind == ExprKind::Var && e->value == static_cast<std::int64_t>(VarMark::Param);
    result = result && e->kind != ExprKind::Call && (e->kind != ExprKind::Var || is_param);
    return result;
  });
  return result;
}

Expr make_unary(ExprKind kind, Expr a) {
  require_operands(kind == ExprKind::Not && a.type().is_bool(), "make_unary", "`!` needs a Bool");
  const Type type = a.type();
  return make_node(kind, type, {std::move(a)});
}

Expr make_binary(ExprKind kind, Expr a, Expr b) {
  require_operands(a.defined() && b.defined(), "make_binary", "an operand is undefined");
  const int lanes = std::max(a.type().lanes, b.type().lanes);
  a = widened(a, lanes);
  b = widened(b, lanes);
  if (a.type() != b.type()) {
    throw InternalError(
        fmt::format("make_binary: operands have different types, {} and {}", to_string(a), to_string(b)));
  }
  const bool logical = kind == ExprKind::And || kind == ExprKind::Or;
  require_operands(!logical || a.type().is_bool(), "make_binary", "`&&` and `||` need Bools");
  const Type type = logical || is_comparison(kind) ? Bool(lanes) : a.type();
  const bool passes_nans_on = kind == ExprKind::MinOrNan || kind == ExprKind::MaxOrNan;
  return make_node(kind, type, {std::move(a), std::move(b)}, passes_nans_on ? kExtremumOrNan : "");
}

Expr make_select(Expr condition, Expr if_true, Expr if_false) {
  require_operands(condition.type().is_bool(), "make_select", "the condition is not a Bool");
  const int lanes = std::max({condition.type().lanes, if_true.type().lanes, if_false.type().lanes});
  if_true = widened(if_true, lanes);
  if_false = widened(if_false, lanes);
  require_operands(if_true.type() == if_false.type(), "make_select", "the two values have different types");
  require_operands(condition.type().lanes == 1 || condition.type().lanes == lanes, "make_select",
                   "lanes differ");
  const Type type = if_true.type();
  return make_node(ExprKind::Select, type, {std::move(condition), std::move(if_true), std::move(if_false)});
}

Expr make_cast(Type type, Expr value) {
  if (value.type() == type) return value;
  require_operands(value.type().lanes == type.lanes, "make_cast", "lanes differ");
  return make_node(ExprKind::Cast, type, {std::move(value)});
}

Expr make_ramp(Expr base, Expr stride, int lanes) {
  require_operands(base.type().lanes == 1 && base.type() == stride.type(), "make_ramp",
                   "base and stride must be scalars of the same type");
  require_operands(lanes > 1, "make_ramp", "a ramp needs more than one lane");
  const Type type = base.type().with_lanes(lanes);
  return make_node(ExprKind::Ramp, type, {std::move(base), std::move(stride)});
}

Expr make_broadcast(Expr value, int lanes) {
  if (lanes == 1) return value;
  require_operands(value.type().lanes == 1, "make_broadcast", "the value must be a scalar");
  const Type type = value.type().with_lanes(lanes);
  return make_node(ExprKind::Broadcast, type, {std::move(value)});
}

Expr make_slice(Expr vector, int first, int lanes) {
  require_operands(first >= 0 && lanes >= 1 && first + lanes <= vector.type().lanes, "make_slice",
                   "lanes out of range");
  if (lanes == vector.type().lanes) return vector;
  const Type type = vector.type().with_lanes(lanes);
  return make_node(ExprKind::Slice, type, {std::move(vector)}, {}, first);
}

Expr make_concat(std::vector<Expr> parts) {
  require_operands(!parts.empty(), "make_concat", "no parts");
  if (parts.size() == 1) return parts[0];
  int lanes = 0;
  for (const Expr& part : parts) {
    require_operands(part.type().element() == parts[0].type().element(), "make_concat",
                     "the parts have different types");
    lanes += part.type().lanes;
  }
  const Type type = parts[0].type().with_lanes(lanes);
  return make_node(ExprKind::Concat, type, std::move(parts));
}

Expr make_load(Type type, const std::string& buffer, std::vector<Expr> indices, std::int64_t alignment,
               int component) {
  require_operands(alignment >= 1 || alignment == kInside, "make_load", "the alignment must be positive");
  int lanes = 1;
  for (const Expr& i : indices) lanes = std::max<int>(lanes, i.type().lanes);
  // A register is loaded whole with one scalar index, so the type may have lanes of its own.
  if (lanes > 1) {
    for (Expr& i : indices) i = widened(i, lanes);
    type = type.with_lanes(lanes);
  }
  return make_node(ExprKind::Load, type, std::move(indices), buffer, alignment, nullptr, component);
}

Expr make_intrinsic(Type type, const std::string& name, std::vector<Expr> operands) {
  // In a product of matrices, a work-item holds more numbers of the factors than of the result.
  if (const SubGroupOperation* operation = find_sub_group_operation(name);
      operation && operation->kind == SubGroupOperationKind::Multiply) {
    const Type result = operands.back().type();
    return make_node(ExprKind::Intrinsic, result, std::move(operands), name);
  }
  if (name == kDotProduct) return make_node(ExprKind::Intrinsic, type, std::move(operands), name);
  int lanes = type.lanes;
  for (const Expr& e : operands) lanes = std::max<int>(lanes, e.type().lanes);
  for (Expr& e : operands) e = widened(e, lanes);
  return make_node(ExprKind::Intrinsic, type.with_lanes(lanes), std::move(operands), name);
}

Expr make_call(Type type, std::shared_ptr<const Function> function, const std::string& name,
               std::vector<Expr> indices, int component) {
  int lanes = 1;
  for (const Expr& i : indices) lanes = std::max<int>(lanes, i.type().lanes);
  for (Expr& i : indices) i = widened(i, lanes);
  return make_node(ExprKind::Call, type.with_lanes(lanes), std::move(indices), name, 0, std::move(function),
                   component);
}

bool is_const(const Expr& expr) {
  if (expr->kind == ExprKind::Broadcast) return is_const((*expr)[0]);
  return expr->kind == ExprKind::IntImm || expr->kind == ExprKind::FloatImm;
}

bool is_const(const Expr& expr, double value) {
  if (expr->kind == ExprKind::Broadcast) return is_const((*expr)[0], value);
  if (const std::int64_t* integer = as_int(expr)) return static_cast<double>(*integer) == value;
  return expr->kind == ExprKind::FloatImm && expr->number == value;
}

const std::int64_t* as_int(const Expr& expr) {
  if (!expr.defined()) return nullptr;
  if (expr->kind == ExprKind::Broadcast) return as_int((*expr)[0]);
  const bool is_too_large = expr->type == UInt(64) && expr->value < 0;
  return expr->kind == ExprKind::IntImm && !is_too_large ? &expr->value : nullptr;
}

bool is_reduction_operator(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add:
    case ExprKind::Mul:
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::MinOrNan:
    case ExprKind::MaxOrNan:
      return true;
    default:
      return false;
  }
}

bool is_arithmetic(ExprKind kind) {
  return is_reduction_operator(kind) || kind == ExprKind::Sub || kind == ExprKind::Div;
}

bool is_commutative(ExprKind kind) {
  return is_reduction_operator(kind) || kind == ExprKind::Eq || kind == ExprKind::Ne ||
         kind == ExprKind::And || kind == ExprKind::Or;
}

bool is_comparison(ExprKind kind) {
  return kind == ExprKind::Eq || kind == ExprKind::Ne || kind == ExprKind::Lt || kind == ExprKind::Le;
}

}  // namespace ir
}  // namespace tensordsl

#include "tensordsl/var.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/lexer.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "ir/nodes/promotion.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// Unnamed variables only have to differ; '$' distinguishes them from names a user can write.
std::string fresh_name() {
  static std::atomic<std::uint64_t> count{0};
  return fmt::format("v${}", count++);
}

}  // namespace

Var::Var() : name_(fresh_name()) {}

Var::Var(std::string name) : name_(std::move(name)) {
  if (name_.empty())
    throw DefinitionError("Var(\"\"): the name must not be empty; use Var() for an unnamed Var");
}

Var::operator Expr() const { return ir::make_var(name_); }

RDom::RDom(std::vector<std::pair<Expr, Expr>> ranges, const std::string& name) {
  const std::string prefix = name.empty() ? Var().name() : name;
  if (ranges.empty()) throw DefinitionError("RDom({}): needs at least one range {min, extent}");
  predicate_ = std::make_shared<ir::Function>();
  std::vector<Expr> bounds;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Expr min = ir::as_index(ranges[i].first), extent = ir::as_index(ranges[i].second);
    if (!min.defined() || !extent.defined() || min.type() != Int(32) || extent.type() != Int(32)) {
      throw DefinitionError(fmt::format("RDom {}: range {} needs an i32 min and an i32 extent", prefix, i));
    }
    if (!ir::is_launch_constant(min) || !ir::is_launch_constant(extent)) {
      throw DefinitionError(fmt::format("RDom {}: range {} must consist of constants and Params", prefix, i));
    }
    const std::int64_t* count = ir::as_int(extent);
    if (count && *count < 0) {
      throw DefinitionError(
          fmt::format("RDom {}: range {} has the extent {}; a range is {{min, extent}}, and the extent must "
                      "not be negative",
                      prefix, i, *count));
    }
    bounds.push_back(ir::unmarked(min));
    bounds.push_back(ir::unmarked(extent));
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const std::string axis = fmt::format("{}_{}", prefix, i);
    axes_.emplace_back(axis, ir::make_reduction_var(axis, bounds, predicate_));
  }
}

void RDom::where(const Expr& condition) {
  const std::string name = axes_[0].name().substr(0, axes_[0].name().rfind('_'));
  if (!condition.defined() || condition.type() != Bool())
    throw DefinitionError(fmt::format("RDom {}: where(...): the condition must be a Bool expression", name));
  // Its own axes without their domain, so that the domain does not own itself.
  const Expr free = ir::rewrite(condition, [&](const Expr& e) {
    const bool is_own = e->kind == ir::ExprKind::Var && e->function == predicate_;
    return is_own ? ir::make_reduction_var(e->name, e->operands) : e;
  });
  if (predicate_->definitions.empty()) predicate_->definitions.emplace_back();
  Expr& predicate = predicate_->definitions[0].predicate;
  predicate = predicate.defined() ? predicate && free : free;
}

const RVar& RDom::operator[](int axis) const {
  if (axis < 0 || axis >= rank()) {
    throw DefinitionError(fmt::format("RDom[{}]: the axis is out of range; the domain has {} axes, 0 to {}",
                                      axis, rank(), rank() - 1));
  }
  return axes_[static_cast<std::size_t>(axis)];
}

RDom::operator Expr() const {
  if (rank() != 1) {
    throw DefinitionError(
        fmt::format("RDom used as an index: it has {} axes; select one, as in r[0]", rank()));
  }
  return axes_[0];
}

Param::Param(std::string name, Type type) : name_(std::move(name)), type_(type) {
  const bool is_identifier =
      !name_.empty() && is_letter(name_[0]) &&
      std::all_of(name_.begin(), name_.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!is_identifier) {
    throw DefinitionError(
        fmt::format("Param(\"{}\"): the name becomes a kernel argument; use letters, digits and '_', and do "
                    "not start with a digit",
                    name_));
  }
  for (const char* taken : {"true", "false", "inf", "nan"}) {
    if (name_ != taken) continue;
    throw DefinitionError(fmt::format(
        "Param(\"{}\"): the name is that of a constant in expressions; choose another name", name_));
  }
  for (const char* taken : {"block0", "block1", "block2", "thread0", "thread1", "thread2"}) {
    if (name_ != taken) continue;
    throw DefinitionError(
        fmt::format("Param(\"{}\"): kernels use this name for an index; choose another name", name_));
  }
  const bool is_known = type_.bits >= 32 && !type_.is_vector() && is_supported(type_);
  if (!is_known) {
    throw DefinitionError(
        fmt::format("Param({}): type {} is not supported; the types are i32, i64, u32, u64, f32 and f64",
                    name_, to_string(type_)));
  }
}

Param::operator Expr() const { return ir::make_param(name_, type_); }

}  // namespace tensordsl

#include "tensordsl/inline_reductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "schedule/func_schedule.h"
#include "schedule/reduction.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {

using namespace ir;

namespace {

bool is_axis(const Expr& e) {
  return e->kind == ExprKind::Var && e->value == static_cast<std::int64_t>(VarMark::Reduction);
}

/// "r" of the axis r_1.
std::string domain_name(const std::string& axis) { return axis.substr(0, axis.rfind('_')); }

/// The value that is reduced, the axes of the reduction, and the indices of the result.
struct Reduction {
  Expr value;
  std::vector<Expr> axes;  // outermost first, each with its domain
  std::vector<Expr> vars;  // the indices of the Func
  std::vector<Expr> args;  // arguments that replace the indices where it is read
};

/// Sorts the variables of the value.
class ReductionBuilder {
 public:
  ReductionBuilder(std::string_view call, const Expr& value, const std::optional<std::string>& domain)
      : call_(call), domain_(domain) {
    if (!value.defined()) throw DefinitionError(fmt::format("{}(...): the value is undefined", call));
    collect(value);
    if (result_.axes.empty()) {
      throw DefinitionError(
          domain
              ? fmt::format("{}(...): the value does not use the RDom {}; index with its axes", call, *domain)
              : fmt::format("{}(...): the value uses no RDom; index with the axes of one", call));
    }
    if (const Expr predicate = predicate_of(result_.axes[0]); predicate.defined()) {
      const auto restricted = std::make_shared<Function>();
      restricted->definitions.push_back({{}, {}, {}, substituted(predicate, false)});
      for (Expr& axis : result_.axes) axis = make_reduction_var(axis->name, axis->operands, restricted);
    }
    result_.value = substituted(value);
  }

  Reduction take() { return std::move(result_); }

 private:
  void collect(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Var) return true;
      if (is_axis(e)) {
        add_axis(e);
      } else if (e->value == static_cast<std::int64_t>(VarMark::Plain)) {
        add_index(e, e);
      }
      return false;
    });
  }

  void add_axis(const Expr& axis) {
    const std::string own = domain_name(axis->name);
    if (domain_ && own != *domain_) return add_index(Var(axis->name), axis);
    if (!result_.axes.empty() && own != domain_name(result_.axes[0]->name)) {
      throw DefinitionError(
          fmt::format("{0}(...): the value uses the reduction domains \"{1}\" and \"{2}\"; name the one to "
                      "reduce, as in {0}(r, value)",
                      call_, domain_name(result_.axes[0]->name), own));
    }
    if (!result_.axes.empty()) return;
    for (std::size_t i = 0; i < axis->operands.size() / 2; ++i)
      result_.axes.push_back(
          make_reduction_var(fmt::format("{}_{}", own, i), axis->operands, axis->function));
    if (const Expr predicate = predicate_of(axis); predicate.defined()) collect(predicate);
  }

  void add_index(const Expr& var, const Expr& arg) {
    const auto is_it = [&](const Expr& known) { return known->name == arg->name; };
    if (std::ranges::any_of(result_.args, is_it)) return;
    result_.vars.push_back(var);
    result_.args.push_back(arg);
  }

  /// Returns the expression with the indices of the Func in place of those at which it is read, and with its
  /// axes.
  Expr substituted(const Expr& expr, bool with_axes = true) const {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Var) return e;
      for (std::size_t i = 0; i < result_.args.size(); ++i) {
        if (e->name == result_.args[i]->name) return result_.vars[i];
      }
      for (const Expr& axis : result_.axes) {
        if (with_axes && e->name == axis->name) return axis;
      }
      return e;
    });
  }

  std::string_view call_;
  const std::optional<std::string>& domain_;
  Reduction result_;
};

Reduction reduction_of(std::string_view call, const Expr& value, const RDom* domain) {
  std::optional<std::string> name;
  if (domain) name = domain_name((*domain)[0].name());
  return ReductionBuilder(call, value, name).take();
}

/// The Func is computed where it is read.
void place_inline(const Func& func) { func.shared()->schedule.level = schedule::ComputeLevel{}; }

Expr reduced(std::string_view call, const Expr& value, const RDom* domain, const std::string& name,
             ExprKind kind) {
  const Reduction r = reduction_of(call, value, domain);
  Func func(name);
  FuncRef element = func(r.vars);
  element = schedule::identity_of(kind, r.value.type());
  switch (kind) {
    case ExprKind::Add:
      element += r.value;
      break;
    case ExprKind::Mul:
      element *= r.value;
      break;
    case ExprKind::Max:
      element.maximize(r.value);
      break;
    default:
      element.minimize(r.value);
      break;
  }
  place_inline(func);
  return func(r.args);
}

Tuple extremum(std::string_view call, const Expr& value, const RDom* domain, const std::string& name,
               ExprKind kind) {
  const Reduction r = reduction_of(call, value, domain);
  std::vector<Expr> first, here = r.axes;
  for (std::size_t i = 0; i < r.axes.size(); ++i) first.push_back((*r.axes[0])[2 * i]);
  first.push_back(schedule::identity_of(kind, r.value.type()));
  here.push_back(r.value);
  Func func(name);
  FuncRef element = func(r.vars);
  element = Tuple(first);
  const Tuple best(element);
  const Expr& extreme = best[best.size() - 1];
  // The first NaN is the extreme, and nothing is beyond it.
  const Expr is_beyond = kind == ExprKind::Max ? r.value > extreme : r.value < extreme;
  const bool may_be_nan = r.value.type().is_float();
  element =
      select(may_be_nan ? is_beyond || (is_nan(r.value) && !is_nan(extreme)) : is_beyond, Tuple(here), best);
  place_inline(func);
  return Tuple(func(r.args));
}

}  // namespace

Expr sum(const Expr& value, const std::string& name) {
  return reduced("sum", value, nullptr, name, ExprKind::Add);
}
Expr sum(const RDom& domain, const Expr& value, const std::string& name) {
  return reduced("sum", value, &domain, name, ExprKind::Add);
}
Expr product(const Expr& value, const std::string& name) {
  return reduced("product", value, nullptr, name, ExprKind::Mul);
}
Expr product(const RDom& domain, const Expr& value, const std::string& name) {
  return reduced("product", value, &domain, name, ExprKind::Mul);
}
Expr maximum(const Expr& value, const std::string& name) {
  return reduced("maximum", value, nullptr, name, ExprKind::Max);
}
Expr maximum(const RDom& domain, const Expr& value, const std::string& name) {
  return reduced("maximum", value, &domain, name, ExprKind::Max);
}
Expr minimum(const Expr& value, const std::string& name) {
  return reduced("minimum", value, nullptr, name, ExprKind::Min);
}
Expr minimum(const RDom& domain, const Expr& value, const std::string& name) {
  return reduced("minimum", value, &domain, name, ExprKind::Min);
}
Tuple argmax(const Expr& value, const std::string& name) {
  return extremum("argmax", value, nullptr, name, ExprKind::Max);
}
Tuple argmax(const RDom& domain, const Expr& value, const std::string& name) {
  return extremum("argmax", value, &domain, name, ExprKind::Max);
}
Tuple argmin(const Expr& value, const std::string& name) {
  return extremum("argmin", value, nullptr, name, ExprKind::Min);
}
Tuple argmin(const RDom& domain, const Expr& value, const std::string& name) {
  return extremum("argmin", value, &domain, name, ExprKind::Min);
}

}  // namespace tensordsl

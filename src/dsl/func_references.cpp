// f(x, y) and f(x, y)[0]: elements and components that are read, defined and updated.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/counted.h"
#include "dsl/add_definition.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/extrema.h"
#include "ir/nodes/promotion.h"
#include "schedule/func_schedule.h"
#include "schedule/reduction.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {

using namespace ir;
using schedule::ScheduledFunction;

namespace {

/// Checks the requirements of every assignment, before anything is defined.
void require_assignable(const ScheduledFunction& function, const std::vector<Expr>& args,
                        const std::vector<Expr>& values) {
  for (const Expr& value : values) {
    if (!value.defined())
      throw DefinitionError(
          fmt::format("{}: the value assigned is an undefined Expr; assign an expression", function.name));
  }
  if (function.is_input()) {
    throw DefinitionError(
        fmt::format("{}: an Input cannot be defined; define a Func that reads it", function.name));
  }
  for (const Expr& arg : args) {
    if (!arg.defined()) throw DefinitionError(fmt::format("{}: an index is undefined", function.name));
  }
}

}  // namespace

FuncRef::FuncRef(std::shared_ptr<ScheduledFunction> function, std::vector<Expr> args)
    : function_(std::move(function)), args_(std::move(args)) {
  for (Expr& arg : args_) arg = as_index(arg);
}

void FuncRef::define(const std::vector<Expr>& values) {
  require_assignable(*function_, args_, values);
  if (function_->definitions.empty()) return define_pure(*function_, args_, values);
  if (static_cast<int>(args_.size()) != function_->rank()) {
    throw DefinitionError(fmt::format("{}: indexed with {}, but it has {}", function_->name,
                                      counted(args_.size(), "index", "indices"),
                                      counted(function_->rank(), "dimension", "dimensions")));
  }
  for (const schedule::LoggedDirective& entry : function_->log) {
    if (schedule::made_func(entry).empty()) continue;
    throw DefinitionError(
        fmt::format("{0}: found an update after {1}.{2}, which has rewritten the definitions of {0}; add all "
                    "updates before this call",
                    function_->name, schedule::stage_name(entry.target.function, entry.target.place),
                    schedule::to_string(entry.directive)));
  }
  define_update(*function_, args_, values);
}

FuncRef& FuncRef::operator=(const Expr& value) {
  define({value});
  return *this;
}

FuncRef& FuncRef::operator=(const FuncRef& value) { return *this = Tuple(value); }

FuncRef& FuncRef::operator=(const Tuple& values) {
  define(values.as_vector());
  return *this;
}

namespace {

/// Defines the Func as `values` everywhere, if it has no definition yet: the start of a reduction.
void start_from(const std::shared_ptr<ScheduledFunction>& function, const std::vector<Expr>& args,
                const std::vector<Expr>& values) {
  if (!function->definitions.empty()) return;
  std::vector<Expr> vars;
  for (std::size_t d = 0; d < args.size(); ++d) {
    const Expr& arg = args[d];
    const bool plain = arg->kind == ExprKind::Var && arg->value == static_cast<std::int64_t>(VarMark::Plain);
    vars.push_back(plain ? arg : Expr(Var(fmt::format("d{}", d))));
  }
  define_pure(*function, vars, values);
}

std::vector<Expr> negated(const std::vector<Expr>& values) {
  std::vector<Expr> result;
  for (const Expr& value : values) result.push_back(value.defined() ? -value : value);
  return result;
}

}  // namespace

void FuncRef::update(const std::vector<Expr>& values, ExprKind reduction, Expr (*op)(Expr, Expr)) {
  require_assignable(*function_, args_, values);
  std::vector<Expr> start;
  for (const Expr& value : values) start.push_back(schedule::identity_of(reduction, value.type()));
  const bool is_first = function_->definitions.empty();
  start_from(function_, args_, start);
  try {
    std::vector<Expr> updated = components();
    if (updated.size() != values.size()) return define(values);  // which says so
    for (std::size_t i = 0; i < values.size(); ++i) updated[i] = op(updated[i], values[i]);
    define(updated);
  } catch (const Error&) {
    if (is_first) undefine(*function_);
    throw;
  }
}

FuncRef& FuncRef::operator+=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Add, operator+);
  return *this;
}

FuncRef& FuncRef::operator-=(const Tuple& values) { return *this += Tuple(negated(values.as_vector())); }

FuncRef& FuncRef::operator*=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Mul, operator*);
  return *this;
}

FuncRef& FuncRef::operator/=(const Tuple& values) {
  update(values.as_vector(), ExprKind::Mul, operator/);
  return *this;
}

FuncRef& FuncRef::operator+=(const Expr& value) {
  update({value}, ExprKind::Add, operator+);
  return *this;
}

FuncRef& FuncRef::operator-=(const Expr& value) {
  require_assignable(*function_, args_, {value});
  return *this += -value;
}

FuncRef& FuncRef::operator*=(const Expr& value) {
  update({value}, ExprKind::Mul, operator*);
  return *this;
}

FuncRef& FuncRef::operator/=(const Expr& value) {
  update({value}, ExprKind::Mul, operator/);
  return *this;
}

FuncRef& FuncRef::maximize(const Expr& value) {
  update({value}, ExprKind::MaxOrNan, ir::max_or_nan);
  return *this;
}

FuncRef& FuncRef::minimize(const Expr& value) {
  update({value}, ExprKind::MinOrNan, ir::min_or_nan);
  return *this;
}

void FuncRef::require_readable() const {
  if (!function_->is_defined())
    throw DefinitionError(fmt::format("{} is used before it is defined", function_->name));
  if (static_cast<int>(args_.size()) != function_->rank()) {
    throw DefinitionError(fmt::format("{}: indexed with {}, but it has {}", function_->name,
                                      counted(args_.size(), "index", "indices"),
                                      counted(function_->rank(), "dimension", "dimensions")));
  }
  for (const Expr& arg : args_) {
    require_index(*function_, arg);
  }
}

FuncRef::operator Expr() const {
  require_readable();
  if (function_->is_tuple()) {
    throw DefinitionError(
        fmt::format("{0}: the values are tuples of {1}; read a component, as in {0}(...)[0]", function_->name,
                    function_->types.size()));
  }
  return make_call(function_->type(), function_, function_->name, args_);
}

std::vector<Expr> FuncRef::components() const {
  require_readable();
  std::vector<Expr> values;
  for (const int component : function_->components())
    values.push_back(make_call(function_->type(component), function_, function_->name, args_, component));
  return values;
}

FuncTupleElementRef FuncRef::operator[](int index) const { return FuncTupleElementRef(*this, index); }

FuncTupleElementRef::FuncTupleElementRef(const FuncRef& element, int index)
    : element_(std::make_shared<FuncRef>(element)), index_(index) {
  const ScheduledFunction& function = *element.function_;
  element.require_readable();
  if (index >= 0 && index < static_cast<int>(function.types.size())) return;
  throw DefinitionError(fmt::format("{}(...)[{}]: the values have {} {}", function.name, index,
                                    function.types.size(),
                                    function.types.size() == 1 ? "component" : "components"));
}

FuncTupleElementRef::operator Expr() const {
  return element_->components()[static_cast<std::size_t>(index_)];
}

FuncTupleElementRef& FuncTupleElementRef::operator=(const Expr& value) {
  std::vector<Expr> values = element_->components();
  values[static_cast<std::size_t>(index_)] = value;
  element_->define(values);
  return *this;
}

FuncTupleElementRef& FuncTupleElementRef::operator=(const FuncTupleElementRef& value) {
  return *this = static_cast<Expr>(value);
}

FuncTupleElementRef& FuncTupleElementRef::operator+=(const Expr& value) {
  return *this = static_cast<Expr>(*this) + value;
}

FuncTupleElementRef& FuncTupleElementRef::operator-=(const Expr& value) {
  return *this = static_cast<Expr>(*this) + -value;
}

FuncTupleElementRef& FuncTupleElementRef::operator*=(const Expr& value) {
  return *this = static_cast<Expr>(*this) * value;
}

FuncTupleElementRef& FuncTupleElementRef::operator/=(const Expr& value) {
  return *this = static_cast<Expr>(*this) / value;
}

}  // namespace tensordsl

// Func::in(): copies that consumers read in place of a tensor.
#include <fmt/format.h>

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {

using namespace ir;
using schedule::ScheduledFunction;

namespace {

using Definitions = std::vector<Definition>;

/// True if a definition calls a function for which `is_it` holds.
template <typename F>
bool reads(const Definitions& definitions, F is_it) {
  bool found = false;
  for (const Definition& definition : definitions) {
    for (const Expr& expr : definition.expressions()) {
      visit(expr, [&](const Expr& e) {
        found = found || (e->kind == ExprKind::Call && is_it(*e));
        return !found;
      });
    }
  }
  return found;
}

bool has_tensor(const FunctionPtr& output, const std::string& name) {
  return std::ranges::any_of(reachable(output), [&](const FunctionPtr& f) { return f->name == name; });
}

/// The copy in place of the Func.
void redirect(Definitions& definitions, const ScheduledFunction* function, const Func& copy) {
  const auto redirected = [&](const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call || e->function.get() != function) return e;
      return make_call(e->type, copy.shared(), copy.name(), e->operands, e->component);
    });
  };
  for (Definition& definition : definitions) {
    for (Expr& arg : definition.args) arg = redirected(arg);
    for (Expr& value : definition.values) value = redirected(value);
    if (definition.predicate.defined()) definition.predicate = redirected(definition.predicate);
  }
}

}  // namespace

Func Func::in(const Func& consumer) const { return in(consumer, {}); }

Func Func::in(const std::vector<Func>& consumers) const {
  if (consumers.empty()) throw ScheduleError(fmt::format("{}.in({{}}): name one or more consumers", name()));
  return in(consumers[0], {consumers.begin() + 1, consumers.end()});
}

Func Func::in(const Func& consumer, const std::vector<Func>& others) const {
  std::vector<Func> consumers{consumer};
  consumers.insert(consumers.end(), others.begin(), others.end());
  std::vector<schedule::FuncName> other_names;
  for (const Func& other : others) other_names.push_back({other.name()});
  schedule::Directive directive{"in", {schedule::FuncName{consumer.name()}}};
  if (!others.empty()) directive.arguments.emplace_back(other_names);
  const std::string call = fmt::format("{}.{}", name(), schedule::to_string(directive));
  const std::string made = schedule::copy_name(name(), consumer.name());
  const auto is_this = [&](const ExprNode& call_of) { return call_of.function.get() == contents_.get(); };
  const auto is_made = [&](const ExprNode& call_of) { return call_of.name == made; };
  for (const Func& reader : consumers) {
    if (reader.contents_ == contents_)
      throw ScheduleError(call + ": a tensor cannot be its own consumer; name a Func that reads it");
    if (reads(reader.contents_->definitions, is_this)) {
      if (!has_tensor(reader.contents_, made)) continue;
      throw ScheduleError(
          fmt::format("{0}: the copy would be named {1}, but {2} already reads another Func of this name; "
                      "rename that Func",
                      call, made, reader.name()));
    }
    if (reads(reader.contents_->definitions, is_made)) {
      throw ScheduleError(fmt::format("{0}: {1} already reads the copy {2}; use that Func, or {2}.in({1})",
                                      call, reader.name(), made));
    }
    throw ScheduleError(
        fmt::format("{}: no definition of {} reads {}; define it first, and name the Func whose own "
                    "definition reads the tensor",
                    call, reader.name(), name()));
  }
  Func copy(made);
  std::vector<Expr> vars;
  for (const std::string& dim : contents_->dims) vars.push_back(Var(dim));
  copy(vars) = Tuple((*this)(vars));
  std::vector<schedule::LogPosition> after;
  for (const Func& reader : consumers) {
    redirect(reader.contents_->definitions, contents_.get(), copy);
    if (reader.contents_ != consumer.contents_) after.push_back({reader.name(), 0});
  }
  auto& log = consumer.contents_->log;
  log.push_back({{name(), {}}, std::move(directive), std::move(after)});
  copy.contents_->made_by = schedule::LogPosition{consumer.name(), log.size()};
  return copy;
}

}  // namespace tensordsl

#include "schedule/func_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "ir/simplify/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::schedule {

using namespace ir;

bool ScheduledFunction::is_substituted() const {
  return definitions.size() == 1 && level().kind == ComputeLevel::Kind::Inline;
}

ComputeLevel ScheduledFunction::level() const {
  if (schedule.level) return *schedule.level;
  ComputeLevel level;
  level.kind = definitions.size() > 1 ? ComputeLevel::Kind::Root : ComputeLevel::Kind::Inline;
  return level;
}

Layout ScheduledFunction::layout_or_default() const {
  return aligned(schedule.layout ? *schedule.layout : Layout::row_major(rank()));
}

Layout ScheduledFunction::tile_layout() const {
  if (schedule.layout) return layout_or_default();
  std::vector<Layout::Term> order, innermost;
  const std::string vectorized = vectorized_dim(*this);
  for (int d = 0; d < rank(); ++d) {
    const bool is_innermost = dims[static_cast<std::size_t>(d)] == vectorized;
    (is_innermost ? innermost : order).push_back({.dim = d});
  }
  order.insert(order.end(), innermost.begin(), innermost.end());
  return aligned(rank() == 0 ? Layout::row_major(0) : Layout::of(order));
}

Layout ScheduledFunction::aligned(const Layout& layout) const {
  if (schedule.alignments.empty()) return layout;
  std::string notation;
  std::istringstream words(layout.to_string(dims));
  auto term = layout.terms().begin();
  for (std::string word; words >> word;) {
    notation += notation.empty() ? "" : " ";
    const std::string dim = word == "|" ? word : dims[static_cast<std::size_t>((term++)->dim)];
    const auto alignment = schedule.alignments.find(dim);
    if (alignment != schedule.alignments.end() && dim != word) {
      throw ScheduleError(
          fmt::format("{}.align_storage({}, {}): its layout \"{}\" already splits the dimension, \"{}\"; set "
                      "the alignment in the layout",
                      name, dim, alignment->second, layout.to_string(dims), word));
    }
    notation += alignment == schedule.alignments.end()
                    ? word
                    : fmt::format("{0}/{1} {0}%{1}", dim, alignment->second);
  }
  return Layout::parse(notation, dims);
}

const ScheduledFunction& scheduled(const Function& function) {
  const auto* result = dynamic_cast<const ScheduledFunction*>(&function);
  if (!result) throw InternalError("scheduled: the Function is not a ScheduledFunction");
  return *result;
}

StageSchedule default_stage(const Function& function, const Definition& definition) {
  StageSchedule stage;
  for (const std::string& dim : function.dims) {
    const bool used = std::any_of(definition.args.begin(), definition.args.end(),
                                  [&](const Expr& arg) { return uses_var(arg, dim); });
    if (used) stage.axes.push_back({dim, LoopKind::Serial, false});
  }
  for (const ReductionAxis& axis : definition.domain)
    stage.axes.push_back({axis.name, LoopKind::Serial, true});
  return stage;
}

namespace {

bool is_self_call(const Expr& e) { return e->kind == ExprKind::Call && !e->function; }

bool calls_self(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || is_self_call(e);
    return !found;
  });
  return found;
}

bool is_self_at(const Expr& e, const std::vector<Expr>& args) {
  if (!is_self_call(e) || e->operands.size() != args.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!same((*e)[i], args[i])) return false;
  }
  return true;
}

/// f(args) = f(args) op e, or the same in each component of a tuple.
bool accumulates(const Expr& value, int component, const std::vector<Expr>& args) {
  if (!is_reduction_operator(value->kind)) return false;
  const auto is_own = [&](const Expr& e) { return is_self_at(e, args) && e->component == component; };
  const Expr& a = (*value)[0];
  const Expr& b = (*value)[1];
  return (is_own(a) && !calls_self(b)) || (is_own(b) && !calls_self(a));
}

/// The accumulation may run in any order.
bool is_associative_update(const Function& function, const Definition& definition) {
  const std::vector<int> components = function.components();
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (!accumulates(definition.values[i], components[i], definition.args)) return false;
  }
  // Neither the element that is written nor the condition may depend on the values that are being computed.
  return std::ranges::none_of(definition.args, calls_self) &&
         !(definition.predicate.defined() && calls_self(definition.predicate));
}

/// True if `arg` is the axis plus something that does not use it, with coefficient one.
bool is_shifted_axis(const Expr& arg, const std::string& axis) {
  if (arg->kind == ExprKind::Var) return arg->name == axis;
  if (arg->kind == ExprKind::Add) {
    return (is_shifted_axis((*arg)[0], axis) && !uses_var((*arg)[1], axis)) ||
           (is_shifted_axis((*arg)[1], axis) && !uses_var((*arg)[0], axis));
  }
  return arg->kind == ExprKind::Sub && is_shifted_axis((*arg)[0], axis) && !uses_var((*arg)[1], axis);
}

/// The pure variables of the update along which at least one read of its own Func is at another index.
std::vector<std::string> ordered_dims(const Function& function, const Definition& definition) {
  std::vector<bool> is_read_elsewhere(function.dims.size());
  const auto look = [&](const Expr& e) {
    for (std::size_t d = 0; is_self_call(e) && d < function.dims.size(); ++d)
      is_read_elsewhere[d] = is_read_elsewhere[d] || !same((*e)[d], definition.args[d]);
    return true;
  };
  for (const Expr& e : definition.expressions()) visit(e, look);
  std::vector<std::string> ordered;
  for (std::size_t d = 0; d < function.dims.size(); ++d) {
    const Expr& arg = definition.args[d];
    const bool is_dim = arg->kind == ExprKind::Var && arg->name == function.dims[d];
    if (is_dim && is_read_elsewhere[d]) ordered.push_back(arg->name);
  }
  return ordered;
}

/// True if `index` differs from `arg` by a constant that is not 0.
bool is_apart(const Expr& index, const Expr& arg) {
  const Expr distance = simplify(index - arg);
  const std::int64_t* steps = as_int(distance);
  return steps && *steps != 0;
}

/// The outermost axis of the domain, if it is the only axis in some index, and each read of the Func is at
/// the element that is written or at another value of that index.
std::string step_axis(const Function& function, const Definition& definition) {
  if (definition.domain.empty() || std::ranges::any_of(definition.args, calls_self)) return "";
  const std::string& axis = definition.domain[0].name;
  for (std::size_t d = 0; d < function.dims.size(); ++d) {
    const Expr& arg = definition.args[d];
    const auto moves_too = [&](const ReductionAxis& other) {
      return other.name != axis && uses_var(arg, other.name);
    };
    const auto is_used = [&](const std::string& dim) { return uses_var(arg, dim); };
    if (!is_shifted_axis(arg, axis) || std::ranges::any_of(definition.domain, moves_too) ||
        std::ranges::any_of(function.dims, is_used))
      continue;
    bool steps = true;
    const auto look = [&](const Expr& e) {
      if (is_self_call(e)) steps = steps && (is_self_at(e, definition.args) || is_apart((*e)[d], arg));
      return steps;
    };
    for (const Expr& e : definition.expressions()) visit(e, look);
    if (steps) return axis;
  }
  return "";
}

}  // namespace

UpdateTraits traits_of(const Function& function, const Definition& definition) {
  UpdateTraits traits;
  // A pure definition has no reduction axis and reads no element of its own Func.
  if (&definition == &function.definitions.front()) return traits;
  traits.ordered_dims = ordered_dims(function, definition);
  traits.is_associative = is_associative_update(function, definition);
  bool reads_only_own_element = true;
  const auto check = [&](const Expr& e) {
    if (is_self_call(e)) reads_only_own_element &= is_self_at(e, definition.args);
    return true;
  };
  for (const Expr& value : definition.values) visit(value, check);
  if (definition.predicate.defined()) visit(definition.predicate, check);
  for (const Expr& arg : definition.args) reads_only_own_element &= !calls_self(arg);
  if (!reads_only_own_element) {
    traits.step_axis = step_axis(function, definition);
    if (traits.step_axis.empty()) return traits;
  }
  // Each parallel axis needs an index of its own that no other axis shares; all other variables in that index
  // must be fixed, or two points could write one element.
  const auto uses_another = [&](const Expr& arg, const std::string& axis) {
    const auto is_used = [&](const std::string& other) { return other != axis && uses_var(arg, other); };
    return std::ranges::any_of(function.dims, is_used) ||
           std::ranges::any_of(definition.domain, is_used, &ReductionAxis::name);
  };
  for (const ReductionAxis& axis : definition.domain) {
    int uses = 0;
    bool alone = false;
    for (const Expr& arg : definition.args) {
      if (!uses_var(arg, axis.name)) continue;
      ++uses;
      alone = is_shifted_axis(arg, axis.name) && !uses_another(arg, axis.name);
    }
    if (uses == 1 && alone && axis.name != traits.step_axis) traits.parallel_axes.push_back(axis.name);
  }
  return traits;
}

std::vector<std::string> roots_of(const StageSchedule& stage, const std::string& axis) {
  for (const Transform& t : stage.transforms) {
    if (t.split && (t.split->outer == axis || t.split->inner == axis)) return roots_of(stage, t.split->axis);
    if (t.fuse && t.fuse->fused == axis) {
      auto roots = roots_of(stage, t.fuse->outer);
      for (std::string& r : roots_of(stage, t.fuse->inner)) roots.push_back(std::move(r));
      return roots;
    }
  }
  return {axis};
}

std::string vectorized_dim(const ScheduledFunction& function) {
  for (const StageSchedule& stage : function.stages) {
    for (const Axis& axis : stage.axes) {
      if (axis.loop != LoopKind::Vectorized) continue;
      const auto roots = roots_of(stage, axis.name);
      const bool is_dim =
          std::find(function.dims.begin(), function.dims.end(), roots[0]) != function.dims.end();
      if (roots.size() == 1 && is_dim) return roots[0];
    }
  }
  return "";
}

}  // namespace tensordsl::schedule

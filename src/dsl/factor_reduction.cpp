// rfactor, rfactor_in_half and split_k: a reduction in two steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/directive_call.h"
#include "schedule/func_schedule.h"
#include "schedule/reduction.h"
#include "tensordsl/error.h"
#include "tensordsl/func.h"

namespace tensordsl {

using namespace ir;
using namespace schedule;

namespace {

/// The reduction axes of an update, written with the loops that splits and fuses made of them.
class FlatDomain {
 public:
  FlatDomain(const DirectiveCall& call, const StageSchedule& stage, const Definition& definition) {
    for (const ReductionAxis& axis : definition.domain) extents_[axis.name] = axis.extent;
    for (const Transform& t : stage.transforms) {
      if (t.split) {
        add_split(call, *t.split);
      } else {
        add_fuse(*t.fuse);
      }
    }
    Substitution loops;
    for (const Axis& axis : stage.axes) loops[axis.name] = make_var(axis.name);
    // Loops of later transformations are the operands of the values of earlier ones.
    for (auto it = values_.rbegin(); it != values_.rend(); ++it)
      loops[it->first] = substitute(it->second, loops);
    for (const Expr& test : tests_)
      inside_ = inside_.defined() ? inside_ && substitute(test, loops) : substitute(test, loops);
    for (const ReductionAxis& axis : definition.domain)
      points_[axis.name] = simplify(axis.min + loops.at(axis.name));
  }

  /// Iterations of a loop.
  const Expr& extent(const std::string& loop) const { return extents_.at(loop); }
  /// Returns the axes of the definition as expressions of the loops.
  const Substitution& points() const { return points_; }
  /// Returns the condition under which the loops are at a point of the domain; undefined if they always are.
  const Expr& inside() const { return inside_; }

 private:
  void add_split(const DirectiveCall& call, const Split& s) {
    const Expr extent = extents_.at(s.axis);
    if (remainder_of(extent, s.factor) != 0) {
      if (s.tail == Tail::Exact) {
        call.fail(
            fmt::format("{} does not divide the extent {} of loop \"{}\", which was split with Tail::Exact; "
                        "use Tail::Guard",
                        s.factor, tensordsl::to_string(extent), s.axis));
      }
      tests_.push_back(make_var(s.axis) < extent);
    }
    extents_[s.outer] = simplify((extent + (s.factor - 1)) / s.factor);
    extents_[s.inner] = Expr(s.factor);
    values_.emplace_back(s.axis, make_var(s.outer) * s.factor + make_var(s.inner));
  }

  void add_fuse(const Fuse& f) {
    extents_[f.fused] = simplify(extents_.at(f.outer) * extents_.at(f.inner));
    // If the inner extent is not constant, analysis would not find the bounds of the quotient.
    const Expr quotient = make_var(f.fused) / extents_.at(f.inner);
    const bool is_constant = as_int(extents_.at(f.inner)) != nullptr;
    values_.emplace_back(f.outer,
                         is_constant ? quotient : max(min(quotient, simplify(extents_.at(f.outer) - 1)), 0));
    values_.emplace_back(f.inner, make_var(f.fused) % extents_.at(f.inner));
  }

  std::map<std::string, Expr> extents_;
  std::vector<std::pair<std::string, Expr>>
      values_;  // values of transformed loops, in the order of the transformations
  std::vector<Expr> tests_;
  Substitution points_;
  Expr inside_;
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A loop that becomes a dimension of the partial results.
struct Factored {
  std::string loop, pure;
};

bool is_factored(const std::vector<Factored>& factored, const std::string& loop) {
  return std::ranges::count(factored, loop, &Factored::loop) > 0;
}

/// Loops become variables of definitions, where no Param or dimension may have their names.
void check_names(const DirectiveCall& call, const ScheduledFunction& function, const Definition& definition,
                 const StageSchedule& stage, const std::vector<Factored>& factored) {
  std::vector<std::string> names;
  for (const auto& [loop, pure] : factored) {
    if (contains(names, pure))
      call.fail(fmt::format("\"{}\" is named twice; use a different Var for each loop", pure));
    names.push_back(pure);
  }
  for (const Axis& axis : stage.axes) {
    if (!axis.is_reduction || is_factored(factored, axis.name)) continue;
    if (contains(names, axis.name))
      call.fail(fmt::format("\"{}\" is another loop of the update; use a new Var", axis.name));
    names.push_back(axis.name);
  }
  for (const std::string& name : names) {
    const bool is_axis = std::any_of(definition.domain.begin(), definition.domain.end(),
                                     [&](const ReductionAxis& a) { return a.name == name; });
    bool is_param = false;
    for (const Expr& e : definition.expressions()) is_param = is_param || (!is_axis && uses_var(e, name));
    for (const ReductionAxis& a : definition.domain)
      is_param = is_param || uses_var(a.min, name) || uses_var(a.extent, name);
    if (contains(function.dims, name))
      call.fail(fmt::format("{} already has a dimension \"{}\"; use a new Var", function.name, name));
    if (is_param) call.fail(fmt::format("the update uses a Param \"{}\"; use a Var with another name", name));
  }
}

void check_factoring(const DirectiveCall& call, const ScheduledFunction& function, int definition_index,
                     const StageSchedule& stage) {
  const Definition& definition = function.definitions[static_cast<std::size_t>(definition_index)];
  if (function.is_tuple()) {
    call.fail(
        fmt::format("{} computes tuples, whose components cannot be combined separately; define the partial "
                    "results as a Func with one more dimension, the part",
                    function.name));
  }
  if (!traits_of(function, definition).is_associative) {
    if (definition.value()->kind == ExprKind::Cast && function.type().bits < 32) {
      call.fail(
          fmt::format("{0} has type {1}, so every step rounds; use f32, and convert in a Func that reads it",
                      function.name, tensordsl::to_string(function.type())));
    }
    call.fail(
        "only updates of the form f(...) = f(...) op value with op +, *, min or max can be computed in "
        "parts");
  }
  for (const Transform& t : stage.transforms) {
    const std::string& axis = t.split ? t.split->axis : t.fuse->outer;
    if (!contains(function.dims, roots_of(stage, axis)[0])) continue;
    call.fail(
        fmt::format("loop \"{}\" is already split or fused; this directive rewrites the update, so call it "
                    "before directives on other loops",
                    axis));
  }
  if (!stage.specializations.empty())
    call.fail("the update already has specializations; call this directive before specialize()");
  for (const Axis& axis : stage.axes) {
    if (axis.loop == LoopKind::Serial) continue;
    call.fail(
        fmt::format("loop \"{}\" is no longer serial; this directive rewrites the update, so call it before "
                    "directives on other loops",
                    axis.name));
  }
}

/// The Func of the partial results, still without a definition.
Func part_of(const DirectiveCall& call, const ScheduledFunction& function, const std::string& pure) {
  const std::string name = factored_name(function.name, pure);
  for (const LoggedDirective& entry : function.log) {
    if (made_func(entry) == name)
      call.fail(fmt::format("there is already a Func {} of partial results; use another Var", name));
  }
  try {
    return Func(name);
  } catch (const DefinitionError&) {
    call.fail(
        fmt::format("the Func of partial results would be named \"{}\", which is not an OpenCL identifier; "
                    "use a Var whose name has only letters, digits and '_'",
                    name));
  }
}

Expr converted(Type type, const Expr& value) { return value.type() == type ? value : make_cast(type, value); }

/// Moves loops of the update into a Func of its own, which holds numbers of `held`; see Stage::rfactor.
Func factor_reduction(const DirectiveCall& call, ScheduledFunction& function, int definition_index,
                      const std::vector<Factored>& factored, Type held) {
  StageSchedule& stage = function.stages[static_cast<std::size_t>(definition_index)];
  Definition& definition = function.definitions[static_cast<std::size_t>(definition_index)];
  check_factoring(call, function, definition_index, stage);
  for (const auto& [loop, pure] : factored) {
    if (!call.axis(loop).is_reduction)
      call.fail(
          fmt::format("loop \"{}\" is not a reduction loop; pass a reduction loop of the update", loop));
  }
  check_names(call, function, definition, stage, factored);
  const FlatDomain domain(call, stage, definition);

  const Expr& value = definition.value();
  const ExprKind reduction = value->kind;
  const auto is_self = [](const Expr& e) { return e->kind == ExprKind::Call && !e->function; };
  const Expr& term = is_self((*value)[0]) ? (*value)[1] : (*value)[0];
  const Type type = function.type();

  Func part = part_of(call, function, factored.back().pure);
  std::vector<Expr> dims;
  for (const auto& [loop, pure] : factored) dims.push_back(Var(pure));
  for (const std::string& dim : function.dims) dims.push_back(Var(dim));
  part(dims) = converted(held, identity_of(reduction, type));

  Substitution pures;
  for (const auto& [loop, pure] : factored) pures[loop] = make_var(pure);
  const auto with_pures = [&](const Expr& e) { return substitute(e, pures); };
  Substitution points = domain.points();
  for (auto& [name, point] : points) point = with_pures(point);
  Definition update;
  for (const auto& [loop, pure] : factored) update.args.push_back(make_var(pure));
  for (const Expr& arg : definition.args) update.args.push_back(substitute(arg, points));
  const Expr so_far = make_call(held, nullptr, part.name(), update.args);
  update.values = {
      converted(held, make_binary(reduction, converted(type, so_far), substitute(term, points)))};
  const auto require = [&](const Expr& test) {
    update.predicate = update.predicate.defined() ? update.predicate && test : test;
  };
  if (domain.inside().defined()) require(with_pures(domain.inside()));
  if (definition.predicate.defined()) require(substitute(definition.predicate, points));
  bool is_scattered = false;
  for (const Axis& axis : stage.axes) {
    if (!axis.is_reduction) continue;
    if (!is_factored(factored, axis.name))
      update.domain.push_back({axis.name, Expr(0), domain.extent(axis.name)});
    for (const std::string& root : roots_of(stage, axis.name)) {
      for (const Expr& arg : definition.args) is_scattered = is_scattered || uses_var(arg, root);
    }
  }
  ScheduledFunction& made = *part.shared();
  made.definitions.push_back(std::move(update));
  made.stages.push_back(default_stage(made, made.definitions.back()));

  // If a reduction axis decides where the update writes, the partial results may belong anywhere: the merge
  // covers every element.
  Definition merged;
  for (std::size_t d = 0; d < function.dims.size(); ++d) {
    merged.args.push_back(is_scattered ? make_var(function.dims[d]) : definition.args[d]);
  }
  std::vector<Expr> indices;
  for (const auto& [loop, pure] : factored) {
    indices.push_back(make_var(pure));
    merged.domain.push_back({pure, Expr(0), domain.extent(loop)});
  }
  indices.insert(indices.end(), merged.args.begin(), merged.args.end());
  merged.values = {make_binary(reduction, make_call(type, nullptr, function.name, merged.args),
                               converted(type, make_call(held, part.shared(), part.name(), indices)))};
  definition = std::move(merged);
  stage = default_stage(function, definition);
  return part;
}

/// Renames an axis in the one update of a Func that has not been scheduled yet.
void rename_axis(ScheduledFunction& function, const std::string& from, const std::string& to) {
  Definition& update = function.definitions.back();
  for (Expr& arg : update.args) arg = substitute(arg, from, make_var(to));
  for (Expr& value : update.values) value = substitute(value, from, make_var(to));
  if (update.predicate.defined()) update.predicate = substitute(update.predicate, from, make_var(to));
  for (ReductionAxis& axis : update.domain) {
    if (axis.name == from) axis.name = to;
  }
  function.stages.back() = default_stage(function, update);
}

std::vector<VarName> var_names(const std::vector<Var>& vars) {
  std::vector<VarName> names;
  for (const Var& v : vars) names.push_back({v.name()});
  return names;
}

Func factor_loops(DirectiveCall& call, ScheduledFunction& function, StageId place,
                  const std::vector<Var>& axes, const std::vector<Var>& pures, Type held) {
  if (place.specialization >= 0)
    call.fail(
        "cannot be called on a specialization, which shares the definition of the update; call it on the "
        "update");
  if (axes.empty() || axes.size() != pures.size())
    call.fail(fmt::format("found {} loops and {} Vars; pass at least one loop, and one Var for each loop",
                          axes.size(), pures.size()));
  const StageSchedule& stage = function.stages[static_cast<std::size_t>(place.definition)];
  std::vector<Factored> factored;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& loop = stage.axes[call.find(axes[i].name())].name;
    if (is_factored(factored, loop))
      call.fail(fmt::format("loop \"{}\" is listed twice; list it once", loop));
    factored.push_back({loop, pures[i].name()});
  }
  Func part = factor_reduction(call, function, place.definition, factored, held);
  call.done();
  part.shared()->made_by = LogPosition{function.name, function.log.size()};
  return part;
}

}  // namespace

Func Stage::rfactor(const Var& axis, const Var& pure) const {
  DirectiveCall call(*contents_, place(), stage(), {"rfactor", {VarName{axis.name()}, VarName{pure.name()}}});
  return factor_loops(call, *contents_, place(), {axis}, {pure}, contents_->type());
}

Func Stage::rfactor_in_half(const std::vector<Var>& axes, const std::vector<Var>& pures) const {
  DirectiveCall call(*contents_, place(), stage(), {"rfactor_in_half", {var_names(axes), var_names(pures)}});
  if (contents_->type() != Float(32))
    call.fail(fmt::format("{} has type {}; partial sums in f16 need a sum in f32", contents_->name,
                          tensordsl::to_string(contents_->type())));
  return factor_loops(call, *contents_, place(), axes, pures, Float(16));
}

Func Stage::split_k(const Var& axis, int parts, const Var& part) const {
  const StageSchedule before = stage();
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s,
                     {"split_k", {VarName{axis.name()}, parts, VarName{part.name()}}});
  const std::string name = s.axes[call.find(axis.name())].name;
  if (specialization_ >= 0)
    call.fail(
        "cannot be called on a specialization, which shares the definition of the update; call it on the "
        "update");
  if (parts < 1) call.fail(fmt::format("the number of parts must be at least 1, found {}", parts));
  const Definition& definition = contents_->definitions[static_cast<std::size_t>(definition_)];
  const auto domain = std::find_if(definition.domain.begin(), definition.domain.end(),
                                   [&](const ReductionAxis& a) { return a.name == name; });
  if (domain == definition.domain.end())
    call.fail(fmt::format(
        "loop \"{}\" is not a whole reduction axis; pass an axis that is not split or fused", name));
  const std::int64_t* extent = as_int(domain->extent);
  if (!extent) {
    call.fail(
        fmt::format("the extent {0} of \"{1}\" is not known before launch, so the length of a part is not "
                    "constant; use split({1}, outer, inner, {2}) and rfactor(inner, {3})",
                    tensordsl::to_string(domain->extent), name, parts, part.name()));
  }
  try {
    const std::int64_t steps = std::max<std::int64_t>(1, (*extent + parts - 1) / parts);
    call.split_axis(name, name + ".p", name + ".k", static_cast<int>(steps), Tail::Guard);
    Func made =
        factor_reduction(call, *contents_, definition_, {{name + ".p", part.name()}}, contents_->type());
    rename_axis(*made.shared(), name + ".k", name);
    made.shared()->schedule.level = ComputeLevel{ComputeLevel::Kind::Root, {}, 0, {}};
    call.done();
    made.shared()->made_by = LogPosition{contents_->name, contents_->log.size()};
    return made;
  } catch (const ScheduleError&) {
    stage() = before;
    throw;
  }
}

}  // namespace tensordsl

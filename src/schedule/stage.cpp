// Loop directives: each checks itself against the stage, then edits the schedule data.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "schedule/directive_call.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/stage.h"

namespace tensordsl {

using namespace schedule;
using ir::LoopKind;

namespace {

/// Puts the listed axes into the listed order, in the positions that they hold together.
void reorder_axes(StageSchedule& stage, const DirectiveCall& call, const std::vector<VarName>& order) {
  std::vector<std::size_t> places;
  std::vector<Axis> axes;
  for (const VarName& v : order) {
    const std::size_t at = call.find(v.name);
    if (std::find(places.begin(), places.end(), at) != places.end()) {
      call.fail(fmt::format("loop \"{}\" is listed twice", stage.axes[at].name));
    }
    places.push_back(at);
    axes.push_back(stage.axes[at]);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size(); ++i) stage.axes[places[i]] = axes[i];
}

/// True if the result depends on the order of no loops.
bool runs_in_any_order(const ir::Definition& definition, const UpdateTraits& traits) {
  const bool are_axes_free = traits.is_associative || traits.parallel_axes.size() == definition.domain.size();
  return are_axes_free && traits.ordered_dims.empty() && traits.step_axis.empty();
}

/// The loops whose order among themselves the result depends on.
std::vector<std::string> ordered_loops(const StageSchedule& stage, const ir::Definition& definition,
                                       const UpdateTraits& traits) {
  const auto& dims = traits.ordered_dims;
  const bool in_any_order = traits.is_associative || traits.parallel_axes.size() == definition.domain.size();
  std::vector<std::string> names;
  for (const Axis& axis : stage.axes) {
    const auto roots = roots_of(stage, axis.name);
    const bool is_ordered = std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
      return std::find(dims.begin(), dims.end(), root) != dims.end();
    });
    const bool is_parallel_in_step =
        !traits.step_axis.empty() && std::ranges::all_of(roots, [&](const std::string& root) {
          return std::ranges::find(traits.parallel_axes, root) != traits.parallel_axes.end();
        });
    const bool keeps_place = axis.is_reduction && !is_parallel_in_step && !(in_any_order && dims.empty());
    if (is_ordered || keeps_place) names.push_back(axis.name);
  }
  return names;
}

/// Returns a loop over points that read the results of whole earlier steps, if it is outside of a loop over
/// the steps; empty if there is none.
std::string loop_around_steps(const StageSchedule& stage, const UpdateTraits& traits) {
  if (traits.step_axis.empty()) return "";
  std::string outside;
  for (const Axis& axis : stage.axes) {
    const auto roots = roots_of(stage, axis.name);
    const bool is_step = std::ranges::find(roots, traits.step_axis) != roots.end();
    if (is_step && !outside.empty()) return outside;
    if (!is_step && axis.is_reduction) outside = axis.name;
  }
  return "";
}

/// True for an expression that a host can compute for a launch.
bool is_of_integers(const Expr& expr) {
  bool result = true;
  ir::visit(expr, [&](const Expr& e) {
    const bool is_plain = e->kind != ir::ExprKind::Load && e->kind != ir::ExprKind::Call;
    result = result && is_plain && !e.type().is_float();
    return result;
  });
  return result;
}

void require_vectorizable(const DirectiveCall& call, const StageSchedule& stage) {
  for (const Axis& other : stage.axes) {
    if (other.loop == LoopKind::Vectorized) {
      call.fail(
          fmt::format("loop \"{}\" is already vectorized; a stage can have one vectorized loop", other.name));
    }
    if (other.is_lanes) {
      call.fail(fmt::format("loop \"{}\" is reduced by a sub-group, which needs scalars; use unroll instead",
                            other.name));
    }
  }
}

}  // namespace

Stage::Stage(std::shared_ptr<ScheduledFunction> function, int definition, int specialization)
    : contents_(std::move(function)), definition_(definition), specialization_(specialization) {}

const std::string& Stage::function_name() const { return contents_->name; }

StageSchedule& Stage::stage() const {
  if (contents_->is_input()) {
    throw ScheduleError(
        fmt::format("{}: an Input is not computed, so it has no loops to schedule", contents_->name));
  }
  if (!contents_->is_defined())
    throw ScheduleError(
        fmt::format("{}: the Func has no definition yet; define it before scheduling it", contents_->name));
  StageSchedule& whole = contents_->stages[static_cast<std::size_t>(definition_)];
  return specialization_ < 0 ? whole
                             : whole.specializations[static_cast<std::size_t>(specialization_)].schedule;
}

StageId Stage::place() const { return {definition_, specialization_}; }

Stage Stage::specialize(const Expr& condition) const {
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s, {"specialize", {LaunchExpr{condition}}});
  if (specialization_ >= 0)
    call.fail("a specialization cannot have specializations; combine the conditions with &&");
  if (!condition.defined() || condition.type() != Bool())
    call.fail("the condition must be a Bool expression");
  if (!ir::is_launch_constant(condition)) call.fail("the condition must consist of constants and Params");
  if (!is_of_integers(condition))
    call.fail("the host evaluates the condition, with integers only; compare integer Params and constants");
  Specialization variant{ir::unmarked(condition), s};
  variant.schedule.specializations.clear();
  s.specializations.push_back(std::move(variant));
  call.done();
  return Stage(contents_, definition_, static_cast<int>(s.specializations.size()) - 1);
}

Stage Stage::specialization(int index) const {
  const auto made =
      static_cast<int>(contents_->is_input() || specialization_ >= 0 ? 0 : stage().specializations.size());
  if (index >= 0 && index < made) return Stage(contents_, definition_, index);
  throw ScheduleError(
      fmt::format("{}.specialization({}): the index is out of range; the stage has {} specializations",
                  stage_name(contents_->name, place()), index, made));
}

Stage& Stage::split(const Var& axis, const Var& outer, const Var& inner, int factor, Tail tail) {
  DirectiveCall call(
      *contents_, place(), stage(),
      {"split", {VarName{axis.name()}, VarName{outer.name()}, VarName{inner.name()}, factor, tail}});
  call.split_axis(axis.name(), outer.name(), inner.name(), factor, tail);
  call.done();
  return *this;
}

Stage& Stage::fuse(const Var& outer, const Var& inner, const Var& fused) {
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s,
                     {"fuse", {VarName{outer.name()}, VarName{inner.name()}, VarName{fused.name()}}});
  const std::size_t o = call.find(outer.name());
  const std::size_t i = call.find(inner.name());
  call.require_serial(s.axes[o]);
  call.require_serial(s.axes[i]);
  if (i != o + 1) {
    call.fail(
        fmt::format("the loops must be adjacent, outer loop first; the loops are {}; call reorder first",
                    fmt::join(names_of(s), ", ")));
  }
  if (s.axes[o].is_reduction != s.axes[i].is_reduction) {
    call.fail("one loop is a reduction and the other is not; fuse two loops of the same kind");
  }
  call.require_new(fused.name());
  s.transforms.push_back({std::nullopt, Fuse{s.axes[o].name, s.axes[i].name, fused.name()}});
  s.axes[o].name = fused.name();
  s.axes.erase(s.axes.begin() + static_cast<std::ptrdiff_t>(i));
  call.done();
  return *this;
}

Stage& Stage::reorder(const std::vector<Var>& axes) {
  StageSchedule& s = stage();
  std::vector<VarName> names;
  for (const Var& v : axes) names.push_back({v.name()});
  DirectiveCall call(*contents_, place(), s, {"reorder", {names}});
  const auto& definition = contents_->definitions[static_cast<std::size_t>(definition_)];
  const UpdateTraits traits = traits_of(*contents_, definition);
  if (runs_in_any_order(definition, traits)) {
    reorder_axes(s, call, names);
    call.done();
    return *this;
  }
  const auto before = ordered_loops(s, definition, traits);
  StageSchedule reordered = s;
  reorder_axes(reordered, call, names);
  if (ordered_loops(reordered, definition, traits) != before) {
    const bool reads_elsewhere = !traits.ordered_dims.empty();
    call.fail(fmt::format(
        "{} must stay in the order {}",
        reads_elsewhere
            ? "the update reads elements of its own Func that other iterations write, so these loops"
            : "the update is not a sum, product, minimum or maximum, so its reduction loops",
        fmt::join(before, ", ")));
  }
  if (const std::string outside = loop_around_steps(reordered, traits); !outside.empty()) {
    call.fail(
        fmt::format("loop \"{}\" must stay inside the loops over \"{}\", whose iterations read elements that "
                    "other iterations wrote",
                    outside, traits.step_axis));
  }
  s = std::move(reordered);
  call.done();
  return *this;
}

Stage& Stage::tile(const Var& x, const Var& y, const Var& xo, const Var& yo, const Var& xi, const Var& yi,
                   int xfactor, int yfactor, Tail tail) {
  const StageSchedule before = stage();
  const std::size_t logged = contents_->log.size();
  try {
    split(x, xo, xi, xfactor, tail);
    split(y, yo, yi, yfactor, tail);
    return reorder({xo, yo, xi, yi});
  } catch (const ScheduleError&) {
    stage() = before;
    contents_->log.resize(logged);
    throw;
  }
}

Stage& Stage::unroll(const Var& axis) {
  DirectiveCall call(*contents_, place(), stage(), {"unroll", {VarName{axis.name()}}});
  Axis& a = call.axis(axis.name());
  call.require_serial(a);
  a.loop = LoopKind::Unrolled;
  call.done();
  return *this;
}

Stage& Stage::unroll(const Var& axis, int factor, Tail tail) {
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s, {"unroll", {VarName{axis.name()}, factor, tail}});
  const std::string name = s.axes[call.find(axis.name())].name;
  call.split_axis(name, name + ".o", name + ".u", factor, tail);
  call.axis(name + ".u").loop = LoopKind::Unrolled;
  call.done();
  return *this;
}

Stage& Stage::vectorize(const Var& axis) {
  DirectiveCall call(*contents_, place(), stage(), {"vectorize", {VarName{axis.name()}}});
  Axis& a = call.axis(axis.name());
  call.require_serial(a);
  call.require_parallel(a, "vectorized");
  require_vectorizable(call, stage());
  a.loop = LoopKind::Vectorized;
  call.done();
  return *this;
}

Stage& Stage::vectorize(const Var& axis, int factor, Tail tail) {
  StageSchedule& s = stage();
  DirectiveCall call(*contents_, place(), s, {"vectorize", {VarName{axis.name()}, factor, tail}});
  constexpr std::array kWidths{1, 2, 3, 4, 8, 16, 32, 64};
  if (std::ranges::count(kWidths, factor) == 0) {
    call.fail(
        fmt::format("unsupported vector width {}; the widths are 2, 3, 4, 8 and 16, and on the host's "
                    "processor also 32 and 64",
                    factor));
  }
  const std::string name = s.axes[call.find(axis.name())].name;
  call.require_parallel(s.axes[call.find(axis.name())], "vectorized");
  require_vectorizable(call, s);
  call.split_axis(name, name + ".o", name + ".v", factor, tail);
  call.axis(name + ".v").loop = LoopKind::Vectorized;
  call.done();
  return *this;
}

}  // namespace tensordsl

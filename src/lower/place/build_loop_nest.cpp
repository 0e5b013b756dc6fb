#include "lower/place/build_loop_nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/index_limit.h"
#include "ir/analyze/index_ranges.h"
#include "ir/nodes/interval.h"
#include "ir/nodes/sub_groups.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/place/definition_point.h"
#include "lower/place/infer_bounds.h"
#include "lower/place/loop_names.h"
#include "schedule/reduction.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::Axis;
using schedule::Fuse;
using schedule::Split;
using schedule::StageSchedule;
using schedule::Transform;

namespace {

/// A name between the loops and the definition: its value over the loops below, and the test that a Guard
/// asks for. A binding without a name is a test only, placed where the value is known.
struct Binding {
  std::string name;
  Expr value;
  Expr guard;  // undefined if none
};

class NestBuilder {
 public:
  NestBuilder(const Producer& producer, int stage, const Box& box, int specialization)
      : function_(*producer.function),
        stage_(stage),
        definition_(producer.definitions[static_cast<std::size_t>(stage)]),
        params_(producer.params),
        specialization_(specialization),
        schedule_(schedule_of(function_.stages[static_cast<std::size_t>(stage)], specialization)),
        box_(box) {
    if (specialization >= 0) {
      const auto& variants = function_.stages[static_cast<std::size_t>(stage)].specializations;
      facts_ = assumptions_of(variants[static_cast<std::size_t>(specialization)].condition);
    }
    for (std::size_t d = 0; d < function_.dims.size(); ++d) {
      const bool has_gaps = box[d].stride > 0;
      ranges_[function_.dims[d]] = has_gaps ? Range{Expr(0), box[d].extent} : box[d];
      if (has_gaps) gaps_[function_.dims[d]] = box[d];
    }
    for (const ReductionAxis& axis : definition_.domain) ranges_[axis.name] = {axis.min, axis.extent};
  }

  /// Returns the box that the definition reads of its own Func, elements that are not kept included.
  std::optional<Box> own_reads() const {
    Substitution renamed = params_;
    for (const auto& [name, range] : ranges_) renamed[name] = var(name);
    Stmt body = point().stores(renamed);
    if (definition_.predicate.defined()) body = make_if(substitute(definition_.predicate, renamed), body);
    for (const auto& [name, range] : ranges_) {
      body = make_for(renamed.at(name)->name, range.min, range.extent, LoopKind::Serial, body);
    }
    return required_box(body, function_.name);
  }

  Stmt build() {
    for (const Axis& axis : schedule_.axes) {
      if (axis.is_lanes) lanes_ = &axis;
    }
    // Transforms introduce names that a Param of the definition may have as well: rename before them.
    Substitution renamed = params_;
    for (const auto& [name, range] : ranges_) {
      const auto gaps = gaps_.find(name);
      renamed[name] = gaps == gaps_.end() ? var(name) : gaps->second.element(var(name));
    }
    const Expr inside = inside_box(renamed);
    if (definition_.predicate.defined()) {
      // A condition that reads the element which is written may read it only where it exists.
      const Expr predicate = substitute(definition_.predicate, renamed);
      add_predicate(inside.defined() && point().reads_self(predicate) ? inside && predicate : predicate);
    }
    for (const Transform& t : schedule_.transforms) {
      if (t.split) {
        add_split(*t.split);
      } else {
        add_fuse(*t.fuse);
      }
    }
    Stmt body = lanes_ ? point().reduction_over_lanes(renamed, in_domain_,
                                                      var(lanes_->name) == ranges_.at(lanes_->name).min)
                       : point().stores(renamed);
    if (inside.defined()) body = make_if(inside, body);
    for (std::size_t i = schedule_.axes.size(); i-- > 0;) {
      body = bind_ready(body, i);
      const Axis& axis = schedule_.axes[i];
      const Range& range = ranges_.at(axis.name);
      body = make_for(loop_name(function_.name, stage_, axis.name), range.min, range.extent, axis.loop, body);
    }
    return bind_ready(body, static_cast<std::size_t>(-1));
  }

 private:
  static const StageSchedule& schedule_of(const StageSchedule& stage, int specialization) {
    return specialization < 0 ? stage
                              : stage.specializations[static_cast<std::size_t>(specialization)].schedule;
  }

  bool shares_root(const std::string& axis, const std::string& other) const {
    const auto roots = schedule::roots_of(schedule_, axis), others = schedule::roots_of(schedule_, other);
    return std::any_of(roots.begin(), roots.end(), [&](const std::string& r) {
      return std::find(others.begin(), others.end(), r) != others.end();
    });
  }

  /// Returns the test that the element which an update writes is computed; undefined if it always is.
  Expr inside_box(const Substitution& renamed) const {
    IndexRanges ranges;
    for (const auto& [name, range] : ranges_) {
      ranges = ranges.with(var(name)->name, {range.min, simplify(range.min + range.extent - 1)});
    }
    Expr inside;
    const auto require = [&](const Expr& test) { inside = inside.defined() ? inside && test : test; };
    for (std::size_t d = 0; d < box_.size(); ++d) {
      if (is_pure_variable(definition_.args[d], d)) continue;
      const Expr arg = substitute(definition_.args[d], renamed);
      const SymbolicInterval written = ranges.interval(arg);
      const Expr end = simplify(box_[d].min + box_[d].extent);
      if (!written.low.defined() || !can_prove(box_[d].min <= written.low)) require(box_[d].min <= arg);
      if (!written.high.defined() || !can_prove(written.high < end)) require(arg < end);
    }
    return inside;
  }

  bool is_pure_variable(const Expr& arg, std::size_t dimension) const {
    return arg->kind == ExprKind::Var && arg->name == function_.dims[dimension];
  }

  DefinitionPoint point() const { return {function_, stage_, definition_}; }

  Expr var(const std::string& axis) const { return make_var(loop_name(function_.name, stage_, axis)); }

  [[noreturn]] void fail(const std::string& finding) const {
    throw ScheduleError(
        fmt::format("{}: {}", schedule::stage_name(function_.name, {stage_, specialization_}), finding));
  }

  /// Adds the condition of the update. With lanes, work-items outside of it take part without a value.
  void add_predicate(const Expr& predicate) {
    if (!lanes_) return bindings_.push_back({"", predicate, predicate});
    in_domain_ = predicate;
  }

  void add_split(const Split& s) {
    const Range range = ranges_.at(s.axis);
    const Expr outer = var(s.outer);
    const Expr inner = var(s.inner);
    const Expr blocks = simplify((range.extent + (s.factor - 1)) / s.factor);
    const Expr known = simplify(substitute(range.extent, facts_.values), facts_.bounds);
    const bool divides = remainder_of(known, s.factor) == 0;
    Binding binding{s.axis, range.min + outer * s.factor + inner, Expr()};
    switch (divides ? Tail::Exact : s.tail) {
      case Tail::Exact:
        if (!divides) {
          fail(fmt::format(
              "split({}, {}, {}, {}, Tail::Exact): {} does not divide the extent {}; use another tail or "
              "factor",
              s.axis, s.outer, s.inner, s.factor, s.factor, tensordsl::to_string(range.extent)));
        }
        break;
      case Tail::RoundUp:
        if (specialization_ >= 0) {
          fail(fmt::format(
              "split({}, {}, {}, {}, Tail::RoundUp): the condition does not imply that {} divides {}, and a "
              "specialization must not compute more points than its stage; use Tail::Guard",
              s.axis, s.outer, s.inner, s.factor, s.factor, tensordsl::to_string(range.extent)));
        }
        fail(
            fmt::format("split({}, {}, {}, {}, Tail::RoundUp): the extent {} cannot be rounded up, because a "
                        "split or fuse made the loop; use Tail::Guard",
                        s.axis, s.outer, s.inner, s.factor, tensordsl::to_string(range.extent)));
      case Tail::Guard: {
        const Expr test = var(s.axis) < range.min + range.extent;
        const bool is_combined = lanes_ && shares_root(s.axis, lanes_->name);
        if (is_combined) in_domain_ = in_domain_.defined() ? in_domain_ && test : test;
        if (!is_combined) binding.guard = test;
        break;
      }
      case Tail::ShiftInwards:
        if (!can_prove_with(facts_, Expr(s.factor) <= range.extent)) {
          fail(
              fmt::format("split({}, {}, {}, {}, Tail::ShiftInwards): the extent {} is not known to be at "
                          "least {}; use Tail::Guard{}",
                          s.axis, s.outer, s.inner, s.factor, tensordsl::to_string(range.extent), s.factor,
                          as_int(known) ? "" : ", or specialize() the stage for such extents"));
        }
        binding.value = range.min + min(outer * s.factor, range.extent - s.factor) + inner;
        break;
    }
    bindings_.push_back(std::move(binding));
    ranges_[s.outer] = {Expr(0), blocks};
    ranges_[s.inner] = {Expr(0), Expr(s.factor)};
  }

  void add_fuse(const Fuse& f) {
    const Range outer = ranges_.at(f.outer);
    const Range inner = ranges_.at(f.inner);
    const std::int64_t least = saturating_mul(std::max<std::int64_t>(bounds_of(outer.extent, {}).low, 0),
                                              std::max<std::int64_t>(bounds_of(inner.extent, {}).low, 0));
    if (least > kMaxElements) {
      fail(
          fmt::format("fuse({}, {}, {}): the fused loop would have {} iterations, more than the limit of a "
                      "32-bit index, {}; do not fuse these loops",
                      f.outer, f.inner, f.fused, least, kMaxElements));
    }
    const Expr fused = var(f.fused);
    Expr at_outer = outer.min + fused / inner.extent;
    Expr at_inner = inner.min + fused % inner.extent;
    // If an extent is not constant, analysis would not find the bounds of the quotient and the remainder.
    const bool is_constant = as_int(inner.extent) != nullptr;
    if (!is_constant) at_inner = min(at_inner, simplify(inner.min + inner.extent - 1));
    if (!is_constant || !as_int(outer.extent))
      at_outer = min(at_outer, simplify(outer.min + outer.extent - 1));
    if (!is_constant) at_outer = max(at_outer, outer.min);
    // The product of two negative extents is positive, and must not give iterations.
    const bool is_negative_once = can_prove(outer.extent >= 0) || can_prove(inner.extent >= 0);
    bindings_.push_back({f.outer, at_outer, is_negative_once ? Expr() : Expr(0) < outer.extent});
    bindings_.push_back({f.inner, at_inner, Expr()});
    ranges_[f.fused] = {Expr(0), simplify(outer.extent * inner.extent)};
  }

  /// Returns the position of the innermost loop that a value depends on; -1 if none.
  std::size_t position(const Expr& value) const {
    std::size_t result = static_cast<std::size_t>(-1);
    visit(value, [&](const Expr& e) {
      if (e->kind != ExprKind::Var) return true;
      std::size_t at = static_cast<std::size_t>(-1);
      for (std::size_t i = 0; i < schedule_.axes.size(); ++i) {
        if (loop_name(function_.name, stage_, schedule_.axes[i].name) == e->name) at = i;
      }
      for (const Binding& b : bindings_) {
        if (loop_name(function_.name, stage_, b.name) == e->name) at = position(b.value);
      }
      if (at != static_cast<std::size_t>(-1) && (result == static_cast<std::size_t>(-1) || at > result))
        result = at;
      return true;
    });
    return result;
  }

  /// Wraps `body` in the Lets and tests that are known once loop `at` is open: later transforms first,
  /// because the values of earlier ones use the axes that later ones make.
  Stmt bind_ready(Stmt body, std::size_t at) const {
    for (const Binding& b : bindings_) {
      if (position(b.value) != at) continue;
      if (b.guard.defined()) body = make_if(b.guard, body);
      if (b.name.empty()) continue;
      body = make_let(loop_name(function_.name, stage_, b.name), b.value, body);
    }
    return body;
  }

  const schedule::ScheduledFunction& function_;
  int stage_;
  const Definition& definition_;
  const Substitution& params_;  // Params by the names that replace them
  int specialization_;
  const StageSchedule& schedule_;
  const Box& box_;
  LaunchAssumptions facts_;
  const Axis* lanes_ = nullptr;          // the loop over a sub-group, if there is one
  Expr in_domain_;                       // for a reduction over lanes: true at points of the domain
  std::map<std::string, Range> ranges_;  // ranges of the loops' variables
  std::map<std::string, Range> gaps_;    // dimensions with gaps between runs
  std::vector<Binding> bindings_;
};

/// Returns the number of which the extent of an axis must be a multiple, so that its RoundUp splits divide.
int rounding_unit(const StageSchedule& stage, const std::string& axis) {
  for (const Transform& t : stage.transforms) {
    if (!t.split || t.split->axis != axis) continue;
    const int outer = rounding_unit(stage, t.split->outer);
    if (t.split->tail == Tail::RoundUp) return t.split->factor * outer;
    // A guarded split cuts off whatever its outer loop runs over; an exact one passes the demand on.
    return t.split->tail == Tail::Exact ? (outer == 1 ? 1 : t.split->factor * outer) : 1;
  }
  return 1;
}

}  // namespace

Stmt build_loop_nest(const Producer& producer, int stage, const Box& box, int specialization) {
  return NestBuilder(producer, stage, box, specialization).build();
}

std::optional<Box> own_reads(const Producer& producer, int stage, const Box& box) {
  return NestBuilder(producer, stage, box, -1).own_reads();
}

Box round_up(const Producer& producer, const Box& box) {
  Box rounded = box;
  for (std::size_t d = 0; d < box.size(); ++d) {
    int unit = 1;
    for (const StageSchedule& stage : producer.function->stages) {
      unit = std::lcm(unit, rounding_unit(stage, producer.function->dims[d]));
    }
    if (unit > 1) rounded[d].extent = simplify((box[d].extent + (unit - 1)) / unit * unit);
  }
  return rounded;
}

}  // namespace tensordsl::lower

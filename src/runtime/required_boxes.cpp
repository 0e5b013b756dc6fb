#include "runtime/required_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "ir/print.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using ir::Definition;
using ir::ExprKind;
using ir::Function;
using ir::Interval;
using Ranges = std::map<std::string, Interval, std::less<>>;

// No tensor is that large, so what exceeds it is an index that nothing bounds.
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 30;

class RangeAnalysis {
 public:
  explicit RangeAnalysis(Ranges ranges) : ranges_(std::move(ranges)) {}

  /// Narrows the variables to where `condition` may have the value `truth`. False if nowhere.
  bool assume(const Expr& condition, bool truth) {
    switch (condition->kind) {
      case ExprKind::Not:
        return assume((*condition)[0], !truth);
      case ExprKind::And:
        return !truth || (assume((*condition)[0], true) && assume((*condition)[1], true));
      case ExprKind::Or:
        return truth || (assume((*condition)[0], false) && assume((*condition)[1], false));
      case ExprKind::Lt:
      case ExprKind::Le: {
        if (!(*condition)[0].type().is_integer()) return true;
        const std::int64_t gap = (condition->kind == ExprKind::Lt) == truth;  // not (a <= b) is b < a
        return truth ? assume_ordered((*condition)[0], (*condition)[1], gap)
                     : assume_ordered((*condition)[1], (*condition)[0], gap);
      }
      case ExprKind::Eq:
        if (!truth || !(*condition)[0].type().is_integer()) return true;
        return assume_ordered((*condition)[0], (*condition)[1], 0) &&
               assume_ordered((*condition)[1], (*condition)[0], 0);
      default:
        return true;
    }
  }

  /// The same ranges, nothing remembered of what was computed from them.
  RangeAnalysis(const RangeAnalysis& other) : ranges_(other.ranges_) {}
  RangeAnalysis& operator=(const RangeAnalysis&) = delete;

  Interval range(const Expr& e) const {
    const auto remembered = remembered_.find(e.get());
    if (remembered != remembered_.end()) return remembered->second;
    const Interval known = unchecked_range(e);
    const Interval all = e.type().is_float() ? Interval{} : ir::range_of(e.type());
    const Interval result = all.contains(known) ? known : all;  // what leaves the type's range wraps
    if (!e->operands.empty()) remembered_.emplace(e.get(), result);
    return result;
  }

 private:
  /// Where a + gap <= b.
  bool assume_ordered(const Expr& a, const Expr& b, std::int64_t gap) {
    const Interval low = range(a), high = range(b);
    if (high.high != INT64_MAX) limit(a, {INT64_MIN, ir::saturating_add(high.high, -gap)});
    if (low.low != INT64_MIN) limit(b, {ir::saturating_add(low.low, gap), INT64_MAX});
    return low.low == INT64_MIN || high.high == INT64_MAX || ir::saturating_add(low.low, gap) <= high.high;
  }

  /// A variable, or one plus or minus a constant, lies within `bounds`.
  void limit(const Expr& e, Interval bounds) {
    if (e->kind == ExprKind::Add || e->kind == ExprKind::Sub) {
      const std::int64_t* offset = ir::as_int((*e)[1]);
      if (offset)
        limit((*e)[0], e->kind == ExprKind::Add ? bounds - Interval::point(*offset)
                                                : bounds + Interval::point(*offset));
    }
    if (e->kind != ExprKind::Var) return;
    const auto it = ranges_.find(e->name);
    if (it == ranges_.end()) return;
    remembered_.clear();
    it->second.low = std::max(it->second.low, bounds.low);
    it->second.high = std::min(it->second.high, bounds.high);
  }

  Interval unchecked_range(const Expr& e) const {
    const auto operand = [&](std::size_t i) { return range((*e)[i]); };
    switch (e->kind) {
      case ExprKind::IntImm:
        return Interval::point(e->value);
      case ExprKind::Var: {
        const auto it = ranges_.find(e->name);
        return it == ranges_.end() ? Interval{} : it->second;
      }
      case ExprKind::Add:
        return operand(0) + operand(1);
      case ExprKind::Sub:
        return operand(0) - operand(1);
      case ExprKind::Mul:
        return operand(0) * operand(1);
      case ExprKind::Div:
        return ir::floor_div(operand(0), operand(1));
      case ExprKind::Mod:
        return ir::floor_mod(operand(0), operand(1));
      case ExprKind::Min:
        return ir::min(operand(0), operand(1));
      case ExprKind::Max:
        return ir::max(operand(0), operand(1));
      case ExprKind::Select:
        return ir::hull(operand(1), operand(2));
      case ExprKind::Cast:
        return (*e)[0].type().is_float() ? Interval{} : operand(0);
      default:
        return {};
    }
  }

  Ranges ranges_;
  mutable std::unordered_map<const ir::ExprNode*, Interval> remembered_;
};

class BoxBuilder {
 public:
  BoxBuilder(const ParamValues& params, std::map<const Function*, Box>& boxes)
      : params_(params), boxes_(boxes) {}

  /// Adds what every definition of `function` reads when it is computed over its box.
  void add_reads_of(const Function& function) {
    // An update that reads its own Func elsewhere may widen the box it is computed over.
    constexpr int kMaxRounds = 8;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Box before = boxes_.at(&function);
      for (const Definition& definition : function.definitions) add_reads(function, definition, before);
      if (boxes_.at(&function) == before) return;
    }
    throw DefinitionError(fmt::format(
        "interpret: the updates of {0} need {0} over a range without end; read {0} at its pure variables",
        function.name));
  }

 private:
  void add_reads(const Function& function, const Definition& definition, const Box& box) {
    Ranges ranges;
    for (const auto& [name, value] : params_) {
      if (value.is_integer()) ranges[name] = Interval::point(value.integer());
    }
    for (const auto& [name, dimension] : pure_variables(function, definition)) ranges[name] = box[dimension];
    for (const ir::ReductionAxis& axis : definition.domain) {
      const std::int64_t min = value_of(axis.min, params_, function.name);
      const std::int64_t extent = value_of(axis.extent, params_, function.name);
      if (extent <= 0) return;
      ranges[axis.name] = {min, min + extent - 1};
    }
    RangeAnalysis analysis(std::move(ranges));
    if (definition.predicate.defined() && !analysis.assume(definition.predicate, true)) return;
    std::set<const ir::ExprNode*> seen;
    sides_ = 0;
    for (const Expr& arg : definition.args) add_reads(function, arg, analysis, seen);
    add_reads(function, definition.value, analysis, seen);
  }

  void add_reads(const Function& self, const Expr& e, const RangeAnalysis& analysis,
                 std::set<const ir::ExprNode*>& seen) {
    if (e->operands.empty() || !seen.insert(e.get()).second) return;
    // Both sides of a select may share what is below them, and so on: past a limit its condition is not made
    // use of.
    constexpr int kMaxSides = 1 << 10;
    if (e->kind == ExprKind::Select && ++sides_ <= kMaxSides) {
      add_reads(self, (*e)[0], analysis, seen);
      for (const bool truth : {true, false}) {
        RangeAnalysis side = analysis;
        std::set<const ir::ExprNode*> seen_there;
        if (side.assume((*e)[0], truth)) add_reads(self, (*e)[truth ? 1 : 2], side, seen_there);
      }
      return;
    }
    for (const Expr& operand : e->operands) add_reads(self, operand, analysis, seen);
    if (e->kind != ExprKind::Call) return;
    const Function& callee = e->function ? *e->function : self;
    if (callee.is_input()) return;  // reads of Inputs are checked when they happen
    Box read;
    for (const Expr& index : e->operands) {
      const Interval range = analysis.range(index);
      if (range.low < -kLargestIndex || range.high > kLargestIndex) {
        throw DefinitionError(fmt::format("index {} of {}(...) in {} cannot be bounded; clamp it: {}",
                                          read.size(), callee.name, self.name, ir::print(index)));
      }
      read.push_back(range);
    }
    Box& box = boxes_[&callee];
    if (box.empty()) box = read;
    for (std::size_t d = 0; d < read.size(); ++d) box[d] = ir::hull(box[d], read[d]);
  }

  const ParamValues& params_;
  std::map<const Function*, Box>& boxes_;
  int sides_ = 0;  // of selects, in one definition
};

}  // namespace

std::map<const Function*, Box> required_boxes(const std::vector<ir::FunctionPtr>& order,
                                              const std::vector<std::int64_t>& shape,
                                              const ParamValues& params) {
  std::map<const Function*, Box> boxes;
  Box& output = boxes[order.back().get()];
  for (const std::int64_t extent : shape) output.push_back({0, extent - 1});
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    // A Func has no box if every read of it is in a branch that is never taken.
    if (!(*it)->is_input() && boxes.contains(it->get())) BoxBuilder(params, boxes).add_reads_of(**it);
  }
  return boxes;
}

std::map<std::string, std::size_t> pure_variables(const Function& function, const Definition& definition) {
  std::map<std::string, std::size_t> result;
  for (std::size_t d = 0; d < definition.args.size(); ++d) {
    const Expr& arg = definition.args[d];
    const bool is_pure = arg->kind == ExprKind::Var && arg->name == function.dims[d];
    if (is_pure) result.emplace(arg->name, d);
  }
  return result;
}

std::int64_t value_of(const Expr& expr, const ParamValues& params, const std::string& where) {
  try {
    return evaluate(expr, params);
  } catch (const Error& error) {
    throw DefinitionError(fmt::format("interpret: a size in {} has no value: {}", where, error.what()));
  }
}

}  // namespace tensordsl::runtime

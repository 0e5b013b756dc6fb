#include "runtime/host/required_boxes.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/analyze/guarded_reads.h"
#include "ir/analyze/number_ranges.h"
#include "ir/text/print.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using ir::Definition;
using ir::ExprKind;
using ir::Function;
using ir::Interval;

// No tensor is that large: a larger index has no bound.
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 30;

class BoxBuilder {
 public:
  BoxBuilder(const ParamValues& params, std::map<const Function*, Box>& boxes)
      : params_(params), boxes_(boxes) {}

  /// Adds the reads of every definition of `function`, computed over its box.
  void add_reads_of(const Function& function) {
    // An update that reads its own Func elsewhere may widen the box it is computed over.
    constexpr int kMaxRounds = 8;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Box before = boxes_.at(&function);
      for (const Definition& definition : function.definitions) add_reads(function, definition, before);
      if (boxes_.at(&function) == before) return;
    }
    throw DefinitionError(fmt::format(
        "interpret: the updates of {0} need an unbounded range of {0}; read {0} at its pure variables",
        function.name));
  }

 private:
  void add_reads(const Function& function, const Definition& definition, const Box& box) {
    ir::NumberRanges ranges([&](const ir::ExprNode& variable) { return value_of_param(variable); });
    for (const auto& [name, dimension] : pure_variables(function, definition))
      ranges = ranges.with(name, box[dimension]);
    for (const ir::ReductionAxis& axis : definition.domain) {
      const std::int64_t min = value_of(axis.min, params_, function.name);
      const std::int64_t extent = value_of(axis.extent, params_, function.name);
      if (extent <= 0) return;
      ranges = ranges.with(axis.name, {min, min + extent - 1});
    }
    const auto on_read = [&](const Expr& call, const ir::NumberRanges& there) {
      add_read(function, call, there);
    };
    ir::GuardedReads<ir::NumberRanges> reads(is_computed, on_read);
    // An update's use of the element that it writes requires no other element; it is skipped outside the box.
    const auto is_other = [&](const Expr& e) {
      return is_computed(e) && !(e->function == nullptr && is_at(e, definition.args));
    };
    ir::GuardedReads<ir::NumberRanges> others(is_other, on_read);
    if (definition.predicate.defined()) {
      others.find(definition.predicate, ranges);
      const auto inside = ranges.assuming(definition.predicate, true);
      if (!inside) return;
      ranges = *inside;
    }
    for (const Expr& index : definition.args) reads.find(index, ranges);
    for (const Expr& value : definition.values) others.find(value, ranges);
  }

  static bool is_at(const Expr& call, const std::vector<Expr>& place) {
    return std::ranges::equal(call->operands, place, ir::ExprSame());
  }

  /// Reads of Inputs are checked when they happen.
  static bool is_computed(const Expr& e) {
    return e->kind == ExprKind::Call && !(e->function && e->function->is_input());
  }

  ir::Interval value_of_param(const ir::ExprNode& variable) const {
    const ir::Interval all = ir::range_of(variable.type);
    const auto param = params_.find(variable.name);
    const bool has_value = variable.type.is_integer() && param != params_.end() &&
                           param->second.is_integer() && all.contains(param->second.integer());
    return has_value ? Interval::point(param->second.integer()) : Interval{};
  }

  void add_read(const Function& self, const Expr& call, const ir::NumberRanges& there) {
    const Function& callee = call->function ? *call->function : self;
    Box read;
    for (const Expr& index : call->operands) {
      const Interval range = there.interval(index);
      if (range.low < -kLargestIndex || range.high > kLargestIndex) {
        throw DefinitionError(fmt::format("index {} of {}(...) in {} is unbounded; clamp it: {}", read.size(),
                                          callee.name, self.name, ir::print(index)));
      }
      if (range.high < range.low) return;  // the conditions around it never hold together
      read.push_back(range);
    }
    Box& box = boxes_[&callee];
    if (box.empty()) box = read;
    for (std::size_t d = 0; d < read.size(); ++d) box[d] = ir::hull(box[d], read[d]);
  }

  const ParamValues& params_;
  std::map<const Function*, Box>& boxes_;
};

}  // namespace

std::map<const Function*, Box> required_boxes(const std::vector<ir::FunctionPtr>& order,
                                              const std::vector<ir::FunctionPtr>& outputs,
                                              const std::vector<std::vector<std::int64_t>>& shapes,
                                              const ParamValues& params) {
  std::map<const Function*, Box> boxes;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (std::ranges::count(shapes[i], 0) > 0) continue;  // it has no elements
    Box& output = boxes[outputs[i].get()];
    for (const std::int64_t extent : shapes[i]) output.push_back({0, extent - 1});
  }
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
    throw Error(fmt::format("interpret: cannot evaluate a size in {}: {}", where, error.what()));
  }
}

}  // namespace tensordsl::runtime

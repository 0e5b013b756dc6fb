#include "runtime/host/required_boxes.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/analyze/guarded_reads.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using ir::Definition;
using ir::ExprKind;
using ir::Function;
using ir::Interval;

// No tensor is that large, so what exceeds it is an index that nothing bounds.
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 30;

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
    ir::IndexRanges ranges(ir::Factors::Any);
    const auto add_range = [&](const std::string& name, Interval range) {
      const bool is_bounded = ir::range_of(Int(32)).contains(range);
      ranges = ranges.with(name, is_bounded ? ir::SymbolicInterval{ir::make_int(Int(32), range.low),
                                                                   ir::make_int(Int(32), range.high)}
                                            : ir::SymbolicInterval{});
    };
    for (const auto& [name, dimension] : pure_variables(function, definition))
      add_range(name, box[dimension]);
    for (const ir::ReductionAxis& axis : definition.domain) {
      const std::int64_t min = value_of(axis.min, params_, function.name);
      const std::int64_t extent = value_of(axis.extent, params_, function.name);
      if (extent <= 0) return;
      add_range(axis.name, {min, min + extent - 1});
    }
    ir::GuardedReads reads(is_computed, [&](const Expr& call, const ir::IndexRanges& there) {
      add_read(function, call, there);
    });
    std::vector<Expr> place;
    for (const Expr& arg : definition.args) place.push_back(with_params(arg, definition));
    // What an update makes of the element that it writes asks for no other; it is left out outside the box.
    ir::GuardedReads others(
        [&](const Expr& e) { return is_computed(e) && !(e->function == nullptr && is_at(e, place)); },
        [&](const Expr& call, const ir::IndexRanges& there) { add_read(function, call, there); });
    if (definition.predicate.defined()) {
      const Expr predicate = with_params(definition.predicate, definition);
      others.find(predicate, ranges);
      const auto inside = ranges.assuming(predicate, true);
      if (!inside) return;
      ranges = *inside;
    }
    for (const Expr& index : place) reads.find(index, ranges);
    for (const Expr& value : definition.values) others.find(with_params(value, definition), ranges);
  }

  static bool is_at(const Expr& call, const std::vector<Expr>& place) {
    return std::ranges::equal(call->operands, place, ir::ExprSame());
  }

  /// Reads of Inputs are checked when they happen.
  static bool is_computed(const Expr& e) {
    return e->kind == ExprKind::Call && !(e->function && e->function->is_input());
  }

  /// With the values of the Params that are integers.
  Expr with_params(const Expr& expr, const Definition& definition) const {
    return ir::rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Var || !e.type().is_integer() || is_variable(e->name, definition)) return e;
      const auto param = params_.find(e->name);
      const bool has_value = param != params_.end() && param->second.is_integer() &&
                             ir::range_of(e.type()).contains(param->second.integer());
      return has_value ? ir::make_int(e.type(), param->second.integer()) : e;
    });
  }

  static bool is_variable(const std::string& name, const Definition& definition) {
    const auto is_arg = [&](const Expr& arg) { return arg->kind == ExprKind::Var && arg->name == name; };
    const auto is_axis = [&](const ir::ReductionAxis& axis) { return axis.name == name; };
    return std::ranges::any_of(definition.args, is_arg) || std::ranges::any_of(definition.domain, is_axis);
  }

  void add_read(const Function& self, const Expr& call, const ir::IndexRanges& there) {
    const Function& callee = call->function ? *call->function : self;
    Box read;
    for (const Expr& index : call->operands) {
      const ir::SymbolicInterval ends = there.interval(index);
      const Interval range{ends.low.defined() ? ir::bounds_of(ends.low).low : INT64_MIN,
                           ends.high.defined() ? ir::bounds_of(ends.high).high : INT64_MAX};
      if (range.low < -kLargestIndex || range.high > kLargestIndex) {
        throw DefinitionError(fmt::format("index {} of {}(...) in {} cannot be bounded; clamp it: {}",
                                          read.size(), callee.name, self.name, ir::print(index)));
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
    throw Error(fmt::format("interpret: a size in {} has no value: {}", where, error.what()));
  }
}

}  // namespace tensordsl::runtime

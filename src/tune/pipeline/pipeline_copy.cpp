#include "tune/pipeline/pipeline_copy.h"

#include <algorithm>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::tune {
namespace {

using ir::Bounds;
using ir::Interval;

std::vector<ir::FunctionPtr> functions_of(const std::vector<Func>& outputs) {
  const auto shared = [](const Func& func) -> ir::FunctionPtr { return func.shared(); };
  return ir::reachable(outputs | ranges::views::transform(shared) | ranges::to<std::vector>());
}

/// Returns the ranges of its variables and reduction axes.
Bounds bounds_within(const ir::Function& function, const Box& box) {
  Bounds bounds;
  for (std::size_t d = 0; d < function.dims.size(); ++d) bounds.insert_or_assign(function.dims[d], box[d]);
  for (const ir::Definition& definition : function.definitions) {
    for (const ir::ReductionAxis& axis : definition.domain) {
      const Interval min = ir::bounds_of(axis.min, bounds), extent = ir::bounds_of(axis.extent, bounds);
      bounds.insert_or_assign(axis.name, Interval{min.low, (min + extent - Interval::point(1)).high});
    }
  }
  return bounds;
}

/// Widens the boxes of the Funcs that `function` reads over all of `box`.
void widen_reads(const ir::Function& function, const Box& box, std::map<std::string, Box>& boxes) {
  const Bounds bounds = bounds_within(function, box);
  const auto widen = [&](const ir::ExprNode& call) {
    Box& of_read = boxes[call.name];
    const bool is_first = of_read.empty();
    of_read.resize(call.operands.size());
    for (std::size_t d = 0; d < call.operands.size(); ++d) {
      const Interval at = ir::bounds_of(call.operands[d], bounds);
      of_read[d] = is_first ? at : ir::hull(of_read[d], at);
    }
  };
  for_each_read(function, [&](const ir::ExprNode& call) {
    if (!call.function->is_input()) widen(call);
  });
}

/// Widens the box by the elements that an update writes elsewhere.
void widen_writes(const ir::Function& function, Box& box) {
  const Bounds bounds = bounds_within(function, box);
  for (std::size_t k = 1; k < function.definitions.size(); ++k) {
    for (std::size_t d = 0; d < box.size(); ++d) {
      const Expr& index = function.definitions[k].args[d];
      if (index->kind == ir::ExprKind::Var && index->name == function.dims[d]) continue;
      box[d] = ir::hull(box[d], ir::bounds_of(index, bounds));
    }
  }
}

}  // namespace

void for_each_read(const ir::Function& function, const std::function<void(const ir::ExprNode& call)>& f) {
  const auto look = [&](const Expr& expr) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call && e->function) f(*e);
      return true;
    });
  };
  for (const ir::Definition& definition : function.definitions) {
    for (const Expr& expr : definition.expressions()) look(expr);
    for (const ir::ReductionAxis& axis : definition.domain) {
      look(axis.min);
      look(axis.extent);
    }
  }
}

std::vector<Expr> with_params(std::vector<Expr> extents) {
  for (Expr& extent : extents) {
    extent = ir::rewrite(extent, [](const Expr& e) {
      return e->kind == ir::ExprKind::Var ? ir::make_param(e->name, e.type()) : e;
    });
  }
  return extents;
}

PipelineCopy copy_pipeline(const std::vector<Func>& outputs) {
  PipelineCopy result;
  std::map<const ir::Function*, Func> copies;
  for (const ir::FunctionPtr& function : functions_of(outputs)) {
    const Func original(std::const_pointer_cast<schedule::ScheduledFunction>(
        std::static_pointer_cast<const schedule::ScheduledFunction>(function)));
    const Func copy =
        function->is_input()
            ? Func(Input(function->name, function->type(), with_params(function->shape), function->dims))
            : copy_with_reads(original, function->name, [&](const Expr& call) {
                const Func& read = copies.at(call->function.get());
                return ir::make_call(call.type(), read.shared(), read.name(), call->operands,
                                     call->component);
              });
    copies.emplace(function.get(), copy);
    result.funcs.push_back(copy);
  }
  for (const Func& output : outputs) result.outputs.push_back(copies.at(&output.contents()));
  return result;
}

std::map<std::string, Box> boxes_of(const PipelineCopy& pipeline,
                                    const std::map<std::string, std::vector<Expr>>& extents) {
  std::map<std::string, Box> boxes;
  for (const Func& output : pipeline.outputs) {
    Box& box = boxes[output.name()];
    const auto given = extents.find(output.name());
    for (int d = 0; d < output.rank(); ++d) {
      const std::int64_t* extent =
          given == extents.end() ? nullptr : ir::as_int(given->second[static_cast<std::size_t>(d)]);
      box.push_back({0, extent ? *extent - 1 : INT64_MAX});
    }
  }
  for (auto func = pipeline.funcs.rbegin(); func != pipeline.funcs.rend(); ++func) {
    if (func->is_input()) continue;
    Box& box = boxes[func->name()];
    box.resize(static_cast<std::size_t>(func->rank()));
    widen_writes(func->contents(), box);
    widen_reads(func->contents(), Box(box), boxes);
  }
  return boxes;
}

}  // namespace tensordsl::tune

// A pipeline that its user wrote, as a list of its Funcs with the box that is needed of each.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/nodes/interval.h"
#include "tensordsl/func.h"

namespace tensordsl::tune {

/// Funcs and Inputs of a pipeline, with the same names and definitions, and no schedule.
struct PipelineCopy {
  std::vector<Func> outputs;
  std::vector<Func> funcs;  ///< all, Inputs too, each after those it reads
};

/// Extents as Inputs and bound() take them: with Params, as users write them.
std::vector<Expr> with_params(std::vector<Expr> extents);

PipelineCopy copy_pipeline(const std::vector<Func>& outputs);

/// Calls `f` with each read of another Func or Input, in all definitions.
void for_each_read(const ir::Function& function, const std::function<void(const ir::ExprNode& call)>& f);

/// The elements of each dimension that are needed; an end that is not known is the type's limit.
using Box = std::vector<ir::Interval>;

/// Returns the boxes of all Funcs but Inputs, by name. `extents`: of outputs, by name; those that are not
/// constants are unknown.
std::map<std::string, Box> boxes_of(const PipelineCopy& pipeline,
                                    const std::map<std::string, std::vector<Expr>>& extents);

}  // namespace tensordsl::tune

// Finds the part of every Func that the interpreter has to compute.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/nodes/interval.h"
#include "tensordsl/param_value.h"

namespace tensordsl::runtime {

/// A box: one interval per dimension.
using Box = std::vector<ir::Interval>;

/// Returns, for every Func of `order` (each after those it reads), a box of all points that computing each of
/// `outputs` over [0, its shape) may read. Throws DefinitionError if an index has no known bounds.
std::map<const ir::Function*, Box> required_boxes(const std::vector<ir::FunctionPtr>& order,
                                                  const std::vector<ir::FunctionPtr>& outputs,
                                                  const std::vector<std::vector<std::int64_t>>& shapes,
                                                  const ParamValues& params);

/// Returns the pure variables that a definition has as arguments, with the dimension that each runs over.
std::map<std::string, std::size_t> pure_variables(const ir::Function& function,
                                                  const ir::Definition& definition);

/// Returns the value of an expression that has only Params. Throws DefinitionError, naming `where`, if it has
/// none.
std::int64_t value_of(const Expr& expr, const ParamValues& params, const std::string& where);

}  // namespace tensordsl::runtime

// Funcs over names of variables, for passes that write definitions.
#pragma once

#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "tensordsl/func.h"

namespace tensordsl {

std::vector<Expr> vars_of(const std::vector<std::string>& names);

/// Returns a Func with the definition name(dims) = value.
Func pure_func(const std::string& name, const std::vector<std::string>& dims, const Expr& value);

/// Returns a Func with the update name(dims) = op(name(dims), value) over the axes, from the identity of
/// `op`.
Func accumulated_func(const std::string& name, const std::vector<std::string>& dims, ir::ExprKind op,
                      const Expr& value, const std::vector<ir::ReductionAxis>& axes);

/// Returns the expression func(indices).
Expr read_of(const Func& func, const std::vector<Expr>& indices);

/// Returns `name` with as many "_" appended as make it differ from every name in `taken`.
std::string fresh_name(std::string name, const std::vector<std::string>& taken);

}  // namespace tensordsl

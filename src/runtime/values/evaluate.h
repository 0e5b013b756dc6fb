// Values of sizes, from the values of Params.
#pragma once

#include <cstdint>

#include "tensordsl/expr.h"
#include "tensordsl/param_value.h"
#include "tensordsl/size_expr.h"

namespace tensordsl::runtime {

/// Returns the value. Throws Error on a name that has no value or no integer one, and on an overflow.
std::int64_t evaluate(const SizeExpr& size, const ParamValues& values);
/// Returns the value of an expression that is a size. Throws Error if it is not one, and as the function
/// above.
std::int64_t evaluate(const Expr& expression, const ParamValues& values);

/// Returns true if each name in it has a value.
bool has_values(const SizeExpr& size, const ParamValues& values);

}  // namespace tensordsl::runtime

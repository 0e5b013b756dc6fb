// Values of the integer expressions in launch manifests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tensordsl/expr.h"
#include "tensordsl/param_value.h"

namespace tensordsl {

/// The value of an integer expression in the IR's text form ("(n + 7)/8*64"), computed in 64 bits. Division
/// and remainder floor, and are 0 for a divisor of 0. Throws Error on malformed text, a name that has no
/// value or no integer one, an operator that is not of integers, or an overflow.
std::int64_t evaluate(std::string_view expression, const ParamValues& values);
/// The same of an expression as it is.
std::int64_t evaluate(const Expr& expression, const ParamValues& values);

/// Whether each name in it has a value.
bool has_values(const Expr& expression, const ParamValues& values);

}  // namespace tensordsl

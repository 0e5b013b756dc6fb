// An integer expression over Params as C++ that a host computes.
#pragma once

#include <functional>
#include <string>

#include "tensordsl/expr.h"

namespace tensordsl::generator {

/// n / 4 * 64  ->  "detail::times(detail::floor_div(params.n, 4), 64)"
/// In 64 bits and exact, unsigned and short types as kernels compute them; it calls the functions of
/// launcher_runtime.h. `variable` gives the C++ of a Param or an index. Throws Error on an expression that is
/// not of integers.
std::string host_expression(const Expr& expression,
                            const std::function<std::string(const std::string&)>& variable);

}  // namespace tensordsl::generator

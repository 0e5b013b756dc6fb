// An integer expression over symbolic dimensions as a Size.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ops/size.h"

namespace tensordsl::ops {

/// Returns the expression as a Size: sums, products, quotients and extrema of constants and of names, whose
/// values are `value_of`. Nullopt if it contains anything else.
std::optional<Size> size_of(const Expr& expr, const std::function<Size(const std::string& name)>& value_of);

/// Returns the Size like the function above; `replaced` is asked first for each minimum and maximum,
/// outermost first.
std::optional<Size> size_of(const Expr& expr, const std::function<Size(const std::string& name)>& value_of,
                            const std::function<std::optional<Size>(const Expr& extremum)>& replaced);

}  // namespace tensordsl::ops

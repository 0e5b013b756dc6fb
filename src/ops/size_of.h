// An integer expression over symbolic dimensions as a Size.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ops/size.h"

namespace tensordsl {

/// Of constants, names, sums, differences, products, quotients, minima and maxima; nothing if there is
/// anything else in it.
std::optional<Size> size_of(const Expr& expr, const std::function<Size(const std::string& name)>& value_of);

}  // namespace tensordsl

// Values of types that the language does not have, held in wider ones.
#pragma once

#include <string>

#include "ops/narrow_types.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops::definitions {

/// Rounds `value` to the nearest f32 that the type represents, with ties to even. Larger values become the
/// largest one with `saturate`, and in a type of finite values only. Otherwise they become an infinity, or a
/// NaN in a type without infinities. A NaN becomes -0 in a type of finite values only.
Expr narrowed_float(const Expr& value, const NarrowType& type, bool saturate);
/// Rounds |value| to a power of 2 by `round_mode`: up, down or nearest. A power outside the type's range
/// becomes its nearest one with `saturate`, else a NaN.
Expr narrowed_exponent(const Expr& value, const NarrowType& type, bool saturate,
                       const std::string& round_mode);
/// The lowest bits of an integer, in the type that holds them.
Expr narrowed_integer(const Expr& value, const NarrowType& type);
/// An integer limited to those that the type has.
Expr saturated_integer(const Expr& value, const NarrowType& type);

}  // namespace tensordsl::ops::definitions

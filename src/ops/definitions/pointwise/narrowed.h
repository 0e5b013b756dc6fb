// Values of types that the language does not have, held in wider ones.
#pragma once

#include <string>

#include "ops/narrow_types.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops::definitions {

/// `value` as an f32 that the type has: the nearest one, with ties to even. What is larger than all is the
/// largest with `saturate`, and of a type that has only numbers; else it is an infinity, or a NaN where the
/// type has none. A NaN is -0 of a type that has only numbers.
Expr narrowed_float(const Expr& value, const NarrowType& type, bool saturate);
/// The power of 2 that |value| is by `round_mode`: up, down or nearest. What is outside those of the type is
/// the nearest one of them with `saturate`, else a NaN.
Expr narrowed_exponent(const Expr& value, const NarrowType& type, bool saturate,
                       const std::string& round_mode);
/// The lowest bits of an integer, in the type that holds them.
Expr narrowed_integer(const Expr& value, const NarrowType& type);
/// An integer limited to those that the type has.
Expr saturated_integer(const Expr& value, const NarrowType& type);

}  // namespace tensordsl::ops::definitions

// Small functions that kernels have of their own, as text.
#pragma once

#include <string>

#include "tensordsl/type.h"

namespace tensordsl::llvm_ir {

/// Returns a vector with `value` in every lane, without its type: "<4 x i32> <i32 1, i32 1, i32 1, i32 1>".
std::string splat(Type type, const std::string& value, bool half_arithmetic);

/// True if vectors of `type` are divided faster as floats, by divisors that are not constant: processors have
/// no division of integer vectors. f64 holds i32, and f32 holds i16. Such a quotient is too far from the next
/// integer to be rounded to it: by 1/b, and the error is a/b*2^-53 or less.
bool divides_in_floats(Type type);

/// Returns the language's `/` or `%` of integers, which floor, and are 0 if the divisor is:
/// "@floor_div.v4i32".
std::string division_function(Type type, bool is_division, bool in_floats, const std::string& name);

/// Returns a division or remainder that truncates toward 0, in floats, for divisors that are not 0.
std::string truncating_function(Type type, bool is_division, const std::string& name);

/// Returns the language's cast of f32 or f64 to integers, which saturates, and is 0 for a NaN:
/// "@saturated_i8.v16f32". LLVM's own, `llvm.fptosi.sat`, is done lane by lane on x86.
std::string saturating_function(Type to, Type from, const std::string& name);

}  // namespace tensordsl::llvm_ir

// An expression with known properties of its values, so that a drawn definition never overflows and the error
// that a legal schedule may make is known.
#pragma once

#include <vector>

#include "fuzz/random.h"
#include "tensordsl/expr.h"

namespace tensordsl::fuzz {

struct Value {
  Expr expr;
  double bound = 0;  // of the magnitude
  double error = 0;  // how far another order of operations, or a device's arithmetic, may be off; 0: exact
  int fraction = 0;  // exact values are multiples of 2^-fraction
};

/// The value in type `type` with an error that includes the rounding of storing it.
Value stored(Type type, Value value);

/// Combines all leaves by drawn operators into a value of type `type`.
Value draw_value(Random& random, std::vector<Value> leaves, Type type);

/// before + value + value + ... of `count` terms.
Value summed(const Value& value, double count, const Value& before);

/// Clamps the value to `limit` in magnitude.
Value limited(Value value, double limit);

}  // namespace tensordsl::fuzz

// x: [batch, 2*length] given as [4, 14] -> batch = 4, length = 7
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/param_value.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {

/// An input and a value for it.
struct GivenShape {
  std::string input;                ///< for messages
  std::vector<SizeExpr> extents;    ///< over Params
  std::vector<std::int64_t> shape;  ///< of the value
};

/// Adds the Params that follow from the shapes of the values to `params`: those that are the only unknown one
/// of an extent. Of several values that fit, as for length/4*4, a small one is taken. A value of another rank
/// says nothing. Returns the first input whose shape fits no value of a Param that it should tell; null if
/// there is none.
const GivenShape* infer_params(std::span<const GivenShape> inputs, ParamValues& params);

}  // namespace tensordsl

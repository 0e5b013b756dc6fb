// x: [batch, 2*length] given as [4, 14] -> batch = 4, length = 7
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/param_value.h"
#include "tensordsl/size_expr.h"

namespace tensordsl {

/// The symbolic shape of an input and the shape of a value for it.
struct GivenShape {
  std::string input;                ///< name of the input, for messages
  std::vector<SizeExpr> extents;    ///< extents of the input, over Params
  std::vector<std::int64_t> shape;  ///< shape of the value
};

/// Adds to `params` those Params that the shapes of the values determine: each that is the only unknown of an
/// extent. If several values fit, as for length/4*4, a small one is taken. A value of another rank is
/// ignored. Returns the first input whose shape fits no value of a Param that it should determine; null if
/// there is none.
const GivenShape* infer_params(std::span<const GivenShape> inputs, ParamValues& params);

}  // namespace tensordsl

// What kernels need of the sizes that they run with.
#pragma once

#include "tensordsl/param_value.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// Throws ShapeError if a read would be outside its tensor, or a factor too small.
void check_requirements(const Program& program, const ParamValues& values);

/// Throws ShapeError if no kernel could index the dimension.
void require_extent(const std::string& tensor, int dimension, std::int64_t extent);

}  // namespace tensordsl

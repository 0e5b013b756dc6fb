// What a pipeline reads, checked against the sizes of a launch.
#pragma once

#include "tensordsl/param_value.h"
#include "tensordsl/pipeline.h"

namespace tensordsl {

/// Throws ShapeError, naming reader, tensor, range and extent, if a read is outside its tensor for these
/// values, or if a Param has a sign that the kernels were not made for.
void check_requirements(const CompiledPipeline& compiled, const ParamValues& values);

}  // namespace tensordsl

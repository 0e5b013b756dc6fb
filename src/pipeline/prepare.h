// Memory, kernels and launches for a compiled pipeline.
#pragma once

#include <memory>

#include "tensordsl/pipeline.h"

namespace tensordsl {

/// `params` has the output's symbolic extents too.
std::unique_ptr<PreparedPipeline> prepare_pipeline(const Func& output, CompiledPipeline compiled,
                                                   Device& device, ParamValues params);

/// Throws ShapeError if no kernel could index the dimension.
void require_extent(const std::string& tensor, int dimension, std::int64_t extent);

}  // namespace tensordsl

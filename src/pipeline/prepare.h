// Memory, kernels and launches for a compiled pipeline.
#pragma once

#include <memory>

#include "ir/function.h"
#include "tensordsl/pipeline.h"

namespace tensordsl {

/// `outputs` are as they were compiled; `params` has their symbolic extents too.
std::unique_ptr<PreparedPipeline> prepare_pipeline(const std::vector<ir::FunctionPtr>& outputs,
                                                   CompiledPipeline compiled, Device& device,
                                                   ParamValues params);

/// Throws ShapeError if no kernel could index the dimension.
void require_extent(const std::string& tensor, int dimension, std::int64_t extent);

}  // namespace tensordsl

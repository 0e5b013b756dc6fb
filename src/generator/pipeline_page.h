// A page of a pipeline.
#pragma once

#include <string>

#include "tensordsl/pipeline.h"

namespace tensordsl::generator {

/// Returns an HTML page of a pipeline: its kernels and their launches, and every stage from the definitions
/// to OpenCL C. `text` is all kernels; `origin` names their source.
std::string pipeline_page(const Pipeline& pipeline, const Program& program, const std::string& text,
                          const std::string& origin);

}  // namespace tensordsl::generator

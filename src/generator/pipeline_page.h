// A pipeline as a page for people.
#pragma once

#include <string>

#include "tensordsl/pipeline.h"

namespace tensordsl::generator {

/// Its kernels with what they are launched with, and every stage from the definitions to OpenCL C: one HTML
/// file. `text` is all kernels; `origin` says what it was made of.
std::string pipeline_page(const Pipeline& pipeline, const Program& program, const std::string& text,
                          const std::string& origin);

}  // namespace tensordsl::generator

// A Program's kernels as one file.
#pragma once

#include <string>

#include "tensordsl/program.h"

namespace tensordsl::generator {

/// kernel A, kernel B  ->  what they share, once; A; B
/// Needs: kernels that were compiled, not read from files; their entries differ.
std::string combined_text(const Program& program);

/// The options with which all kernels build: the newest OpenCL C that one of them asks for.
std::string combined_options(const Program& program);

}  // namespace tensordsl::generator

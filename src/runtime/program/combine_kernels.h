// A Program's kernels as one file.
#pragma once

#include <string>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Returns the text of all kernels: kernel A, kernel B  ->  their shared text, once; A; B. Needs: kernels
/// that were compiled, not read from files; their entries differ.
std::string combined_text(const Program& program);

/// Returns the options with which all kernels build: the newest OpenCL C that one of them asks for.
std::string combined_options(const Program& program);

/// Returns the Program with that text and those options in every kernel: a Device builds equal texts once.
/// Kernels of another backend than OpenCL's are not changed: each is a module of its own.
Program with_combined_kernels(Program program);

}  // namespace tensordsl::runtime

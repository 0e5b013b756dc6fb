// A Program as a C++ header that launches it.
#pragma once

#include <string>

#include "tensordsl/program.h"

namespace tensordsl::generator {

struct LauncherNames {
  std::string name;     ///< name of the namespace in `kernels`: see check_output_name()
  std::string comment;  ///< the origin that the header names, one line
};

/// Returns a header in C++17 on OpenCL 1.2 with nothing else to include or link. The namespace kernels::NAME,
/// which collides with no name of C, has:
///   struct Params           the values that were left open, if there are any
///   class Memory            a cl_mem that is released with it
///   class Launcher          create_X, write_X for each input, create_Y, read_Y for each output, and run
/// `text` and `options` are the program that it builds, see combined_text(). Throws Error on a size that no
/// host can compute.
std::string launcher_header(const Program& program, const std::string& text, const std::string& options,
                            const LauncherNames& names);

}  // namespace tensordsl::generator

// The name of a generator's output.
#pragma once

#include <string>

namespace tensordsl::generator {

/// Checks the name of the files and of the launcher's namespace in `kernels`: a C++ identifier that is
/// neither a macro, nor a name of OpenCL, nor a header of the C library. `given` begins the message of the
/// Error that it throws: "-n 3x3".
void check_output_name(const std::string& name, const std::string& given);

}  // namespace tensordsl::generator

// first_kernel.cl, kept in the program.
#pragma once

#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::bench {

const std::vector<EmbeddedFile>& first_kernel();

}  // namespace tensordsl::bench

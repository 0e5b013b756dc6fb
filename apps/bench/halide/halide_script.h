// halide_pipelines.py, kept in the program.
#pragma once

#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::bench {

const std::vector<EmbeddedFile>& halide_script();

}  // namespace tensordsl::bench

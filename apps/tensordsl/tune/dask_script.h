// dask_measurer.py, kept in the program.
#pragma once

#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::cli {

const std::vector<EmbeddedFile>& dask_script();

}  // namespace tensordsl::cli

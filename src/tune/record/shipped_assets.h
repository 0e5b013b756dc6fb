// The files of schedules/tuned, kept in the library.
#pragma once

#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::tune {

/// Named as "pocl_avx512".
const std::vector<EmbeddedFile>& shipped_assets();

}  // namespace tensordsl::tune

// gpus.json, kept in the program.
#pragma once

#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::bench {

const std::vector<EmbeddedFile>& gpu_list();

}  // namespace tensordsl::bench

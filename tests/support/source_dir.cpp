#include "support/source_dir.h"

std::filesystem::path source_dir() { return TENSORDSL_SOURCE_DIR; }

// The path of the source tree whose files tests read.
#pragma once

#include <filesystem>

std::filesystem::path source_dir();

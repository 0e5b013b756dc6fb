// Where the tree lies whose files tests read.
#pragma once

#include <filesystem>

std::filesystem::path source_dir();

// Words of a shell command.
#pragma once

#include <string>

namespace tensordsl::cli {

/// Returns the word as a shell reads it: in quotes where it has characters that a shell interprets.
std::string quoted(const std::string& word);

}  // namespace tensordsl::cli

// A file from a text.
#pragma once

#include <filesystem>
#include <string_view>

namespace tensordsl {

/// Writes a file, replacing an old one. Throws Error with the path and the reason if not all of it could be
/// written.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tensordsl

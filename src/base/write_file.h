// A file from a text.
#pragma once

#include <filesystem>
#include <string_view>

namespace tensordsl {

/// Writes a file, replacing an old one. Throws Error that names the path if not all of it could be written.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tensordsl

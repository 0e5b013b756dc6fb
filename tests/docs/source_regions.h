// Documents whose code is a part of a C++ file that is compiled.
#pragma once

#include <map>
#include <string>

namespace tensordsl::docs {

/// The lines between "// [NAME]" and the next "// [end]", by NAME, without the indentation that they share.
/// Throws std::runtime_error on a region that is not closed, or opened in another one.
std::map<std::string, std::string> source_regions(const std::string& source);

/// The regions of every C++ file below a folder, which is relative to the project. Throws std::runtime_error
/// if two have the same name.
std::map<std::string, std::string> regions_of_folder(const std::string& folder);

}  // namespace tensordsl::docs

// The beginning of a package that is one file.
#pragma once

#include <string>

#include "package/package_index.h"

namespace tensordsl {

/// Gives the entries their offsets, as package_format.h says. Header and index: the files follow, each at its
/// offset, with zeros between.
std::string begin_package(PackageIndex& index);

/// Returns the header that precedes an index of this text.
std::string package_header(const std::string& index);

}  // namespace tensordsl

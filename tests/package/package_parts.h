// Reads and writes the parts of packages, so that tests can change what is in them.
#pragma once

#include <map>
#include <string>

#include "package/begin_package.h"
#include "package/package_index.h"

namespace tensordsl::testing {

/// A package in one file: its index, and its files by their names.
struct PackageParts {
  PackageIndex index;
  std::map<std::string, std::string> files;

  /// Joins the parts with correct sizes, offsets and checksums.
  std::string together() const {
    PackageIndex whole = index;
    for (PackageEntry& entry : whole.entries) {
      const std::string& file = files.at(entry.name);
      entry.bytes = file.size();
      entry.checksum = to_hex(checksum(file));
    }
    std::string bytes = begin_package(whole);
    for (const PackageEntry& entry : whole.entries) {
      bytes.resize(entry.offset);
      bytes += files.at(entry.name);
    }
    return bytes;
  }
};

}  // namespace tensordsl::testing

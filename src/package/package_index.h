// The list of a package's files, with which each of them is checked: tensordsl.json of a folder, the
// beginning of one file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"

namespace tensordsl {

struct PackageEntry {
  std::string name;          ///< relative to program.json
  std::uint64_t offset = 0;  ///< offset in one file; 0 in a folder
  std::uint64_t bytes = 0;
  std::string checksum;  ///< to_hex
};

struct PackageIndex {
  std::string made_from, compiled_for;
  std::vector<PackageEntry> entries;

  /// Returns the entry of that name; null if there is none.
  const PackageEntry* find(std::string_view name) const;
};

/// Names of a package's files that a Program does not have.
inline constexpr const char* kIndexName = "tensordsl.json";
inline constexpr const char* kProgramName = "program.json";
inline constexpr const char* kProfileName = "profile.json";
inline constexpr const char* kBinaryEnding = ".clbin";

std::string to_json(const PackageIndex& index);
/// Parses an index. Throws ParseError that says what is wrong and the remedy, on text that is not an index,
/// or is one of another version.
PackageIndex index_from_json(std::string_view json);

}  // namespace tensordsl

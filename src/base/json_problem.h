// The problem that nlohmann's library finds in a JSON text, without its codes, and not too long to be read.
#pragma once

#include <string>

namespace tensordsl {

/// Returns "key 'version' not found" for "[json.exception.out_of_range.403] key 'version' not found". A long
/// text, for instance about a number of 100,000 digits, is cut off.
inline std::string json_problem(const std::string& what) {
  const std::size_t end = what.starts_with("[json.exception.") ? what.find("] ") : std::string::npos;
  const std::string problem = end == std::string::npos ? what : what.substr(end + 2);
  constexpr std::size_t kMostCharacters = 300;
  return problem.size() <= kMostCharacters ? problem : problem.substr(0, kMostCharacters) + "...";
}

}  // namespace tensordsl

// What is wrong with a JSON text, without the library's own codes.
#pragma once

#include <string>

namespace tensordsl {

/// "[json.exception.out_of_range.403] key 'version' not found"   ->   "key 'version' not found"
inline std::string json_problem(const std::string& what) {
  const std::size_t end = what.starts_with("[json.exception.") ? what.find("] ") : std::string::npos;
  return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace tensordsl

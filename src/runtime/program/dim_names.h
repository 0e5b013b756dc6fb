// Names of the dimensions of a tensor, as layouts have them.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace tensordsl::runtime {

/// Returns d0, d1 ...
inline std::vector<std::string> dim_names(std::size_t rank) {
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < rank; ++d) dims.push_back(fmt::format("d{}", d));
  return dims;
}

}  // namespace tensordsl::runtime

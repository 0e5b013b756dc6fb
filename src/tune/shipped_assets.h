// The files of schedules/tuned, kept in the library.
#pragma once

#include <string_view>
#include <vector>

namespace tensordsl::tune {

struct Asset {
  std::string_view name;                 ///< "pocl_avx512"
  std::vector<std::string_view> pieces;  ///< that are the text, one after the other
};

const std::vector<Asset>& shipped_assets();

}  // namespace tensordsl::tune

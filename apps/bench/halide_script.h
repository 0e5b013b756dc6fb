// halide_pipelines.py, kept in the program.
#pragma once

#include <string_view>
#include <vector>

namespace tensordsl::bench {

struct Asset {
  std::string_view name;
  std::vector<std::string_view> pieces;  ///< that are the text, one after the other
};

const std::vector<Asset>& halide_script();

}  // namespace tensordsl::bench

// The files that a page is made of, kept in the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::report {

struct Asset {
  std::string name;                      ///< "page.css", or the module "vega-view"
  std::vector<std::string_view> pieces;  ///< that are the text, one after the other
};

/// Vega's modules in any order, then the page's own files.
const std::vector<Asset>& assets();

/// Throws InternalError if there is no asset of that name.
std::string asset_text(std::string_view name);

}  // namespace tensordsl::report

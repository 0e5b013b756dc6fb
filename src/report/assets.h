// The files of which a page is composed, embedded in the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"

namespace tensordsl::report {

/// Named as "page.css", or as the module "vega-view". Vega's modules in any order, then the page's own files.
const std::vector<EmbeddedFile>& assets();

/// Returns the text of an asset. Throws InternalError if there is no asset of that name.
std::string asset_text(std::string_view name);

}  // namespace tensordsl::report

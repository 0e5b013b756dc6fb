// An Inspection as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/page.h"
#include "tensordsl/inspection.h"

namespace tensordsl::report {

/// Returns a page with the graph before and after, passes, layout transformations, memory, kernels,
/// divisions. `facts`: the options, a name and a value.
Page inspection_page(const Inspection& inspection, const std::string& title,
                     const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace tensordsl::report

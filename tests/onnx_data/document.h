// docs/OPERATORS.md, from what became of all cases.
#pragma once

#include <string>
#include <vector>

#include "onnx_data/report.h"

namespace tensordsl::conformance {

/// Markdown: of each operator its operator sets and cases, and why cases are refused. The same for the same
/// outcomes, on every machine.
std::string operators_document(const std::vector<Finding>& findings);

}  // namespace tensordsl::conformance

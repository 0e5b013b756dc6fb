// What became of all cases, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "onnx_data/case.h"
#include "onnx_data/facts.h"
#include "onnx_data/result.h"

namespace tensordsl::conformance {

struct Finding {
  std::string name;  ///< of the case
  Facts facts;
  Result result;
};

/// What is refused and out of scope is out of scope; so is what is random and wrong, or wrong in the data.
Result in_scope(const std::string& name, const Facts& facts, Result result);

/// Of the cases, in their order.
std::vector<Finding> findings_of(const std::vector<Case>& cases, const std::vector<Result>& results);

/// Whether it needs f64, and the device lacks that.
bool needs_missing_double(const Finding& finding);

/// A line for each folder of data.
std::string summary(const std::vector<Finding>& findings);

/// The cases of an outcome with their reasons, a line for each. Throws Error if there is no such outcome.
std::string list(const std::vector<Finding>& findings, const std::string& outcome);

std::string to_json(const std::vector<Finding>& findings);

}  // namespace tensordsl::conformance

// Reports the results of all cases, as text and as JSON.
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

/// Marks a refused case as out of scope if its model is; also one that fails because it is random or its data
/// are wrong.
Result in_scope(const std::string& name, const Facts& facts, Result result);

/// Pairs the cases, in their order, with their results.
std::vector<Finding> findings_of(const std::vector<Case>& cases, const std::vector<Result>& results);

/// True if the case needs f64, and the device lacks it.
bool needs_missing_double(const Finding& finding);

/// A line for each folder of data.
std::string summary(const std::vector<Finding>& findings);

/// The cases of an outcome with their reasons, a line for each. Throws Error if there is no such outcome.
std::string list(const std::vector<Finding>& findings, const std::string& outcome);

std::string to_json(const std::vector<Finding>& findings);

}  // namespace tensordsl::conformance

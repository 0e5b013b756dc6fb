#include "onnx_data/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace tensordsl::conformance {
namespace {

std::set<std::string> names_of(const std::string& text) {
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && !line.starts_with('#')) names.insert(line);
  }
  return names;
}

}  // namespace

std::string expected_text(const std::vector<Finding>& findings) {
  std::string text = "# The cases that pass. TENSORDSL_UPDATE_DOCS=1 ctest -R onnx_data writes this file.\n";
  for (const Finding& finding : findings) {
    if (finding.result.outcome == Outcome::Passed) text += finding.name + "\n";
  }
  return text;
}

Change changes(const std::vector<Finding>& findings, const std::string& expected,
               const std::vector<std::string>& driver_faults) {
  std::set<std::string> to_pass = names_of(expected);
  Change change;
  for (const Finding& finding : findings) {
    const auto& [name, facts, result] = finding;
    const bool is_expected = to_pass.erase(name) > 0;
    if (std::ranges::find(driver_faults, name) != driver_faults.end()) continue;
    const std::string text = fmt::format("{}: {}: {}", name, to_string(result.outcome), result.reason);
    if (result.outcome == Outcome::Wrong || result.outcome == Outcome::Failed) {
      change.wrong.push_back(text);
    } else if (result.outcome == Outcome::Passed) {
      if (!is_expected) change.gained.push_back(name);
    } else if (is_expected && !needs_missing_double(finding)) {
      change.lost.push_back(text);
    }
  }
  for (const std::string& name : to_pass) change.gained.push_back(name + " is not in the data");
  return change;
}

}  // namespace tensordsl::conformance

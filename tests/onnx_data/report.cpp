#include "onnx_data/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

constexpr std::array<std::string_view, 16> kWrongData{
    // Their values wrap around, where ONNX says that the operator saturates: -236 is 20 and not -128.
    "node/test_qlinearmatmul_2D_int8_float16", "node/test_qlinearmatmul_2D_int8_float32",
    "node/test_qlinearmatmul_3D_int8_float16", "node/test_qlinearmatmul_3D_int8_float32",
    // They number the modes of qk_matmul_output, and place softcap, as ONNX did before a correction.
    "node/test_attention_3d_with_past_and_present_qk_matmul_bias",
    "node/test_attention_3d_with_past_and_present_qk_matmul_softcap",
    "node/test_attention_4d_with_past_and_present_qk_matmul_bias",
    "node/test_attention_4d_with_past_and_present_qk_matmul_bias_3d_mask",
    "node/test_attention_4d_with_past_and_present_qk_matmul_bias_3d_mask_causal",
    "node/test_attention_4d_with_past_and_present_qk_matmul_bias_4d_mask",
    "node/test_attention_4d_with_past_and_present_qk_matmul_bias_4d_mask_causal",
    "node/test_attention_4d_with_qk_matmul_bias", "node/test_attention_4d_with_qk_matmul_softcap",
    // A norm of 0 gives NaN there, and 0 as ONNX says now.
    "node/test_l2normalization_axis_0",
    // Terms that cancel have left 1.9e-7 there, which is more than may be added to 0.
    "node/test_dft_inverse", "node/test_dft_inverse_opset19"};

}  // namespace

Result in_scope(const std::string& name, const Facts& facts, Result result) {
  const bool is_wrong = result.outcome == Outcome::Wrong;
  if (is_wrong && std::ranges::find(kWrongData, name) != kWrongData.end())
    return {Outcome::OutOfScope, "the expected values are not what ONNX says of the operator"};
  const bool may_leave = result.outcome == Outcome::Refused || (is_wrong && facts.is_random) ||
                         (facts.has_wrong_data && result.outcome != Outcome::Passed);
  if (facts.out_of_scope && may_leave) return {Outcome::OutOfScope, *facts.out_of_scope};
  return result;
}

std::vector<Finding> findings_of(const std::vector<Case>& cases, const std::vector<Result>& results) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Facts facts = facts_of(read_model(cases[i]));
    Result result = in_scope(cases[i].name, facts, results[i]);
    findings.push_back({cases[i].name, std::move(facts), std::move(result)});
  }
  return findings;
}

bool needs_missing_double(const Finding& finding) {
  const Result& result = finding.result;
  return result.outcome == Outcome::Refused && result.reason.find("cl_khr_fp64") != std::string::npos;
}

std::string summary(const std::vector<Finding>& findings) {
  std::map<std::string, std::array<int, kOutcomes.size()>> counts;
  for (const Finding& finding : findings)
    ++counts[finding.name.substr(0, finding.name.find('/'))]
            [static_cast<std::size_t>(finding.result.outcome)];
  std::string text = fmt::format("{:<20}", "");
  for (const std::string_view outcome : kOutcomes) text += fmt::format("{:>14}", outcome);
  text += "\n";
  for (const auto& [folder, numbers] : counts) {
    text += fmt::format("{:<20}", folder);
    for (const int number : numbers) text += fmt::format("{:>14}", number);
    text += "\n";
  }
  return text;
}

std::string list(const std::vector<Finding>& findings, const std::string& outcome) {
  if (std::ranges::find(kOutcomes, outcome) == kOutcomes.end())
    throw Error(fmt::format("there is no list '{}'; there are: {}", outcome, fmt::join(kOutcomes, ", ")));
  std::string text;
  for (const auto& [name, facts, result] : findings) {
    if (to_string(result.outcome) != outcome) continue;
    text += name;
    if (!result.reason.empty()) text += ": " + result.reason;
    if (!result.constants.empty()) text += fmt::format(" (constant: {})", fmt::join(result.constants, ", "));
    text += "\n";
  }
  return text;
}

std::string to_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const auto& [name, facts, result] : findings) {
    cases.push_back({{"name", name},
                     {"opset", facts.opset},
                     {"operators", facts.operators},
                     {"outcome", to_string(result.outcome)},
                     {"reason", result.reason},
                     {"constants", result.constants}});
  }
  return nlohmann::ordered_json{{"cases", cases}}.dump(2) + "\n";
}

}  // namespace tensordsl::conformance

#include "onnx_data/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "ops/operator_spec.h"

namespace tensordsl::conformance {
namespace {

using ops::OperatorSpec;

using Counts = std::array<int, kOutcomes.size()>;

int& count_of(Counts& counts, Outcome outcome) { return counts[static_cast<std::size_t>(outcome)]; }

/// Formats the counts in the order of the columns.
std::string cells(const Counts& counts) {
  std::string text;
  for (const int count : counts) text += count == 0 ? " |" : fmt::format(" {} |", count);
  return text;
}

std::string heads() { return fmt::format(" {} |", fmt::join(kOutcomes, " | ")); }

std::string rules() {
  std::string text;
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) text += "---|";
  return text;
}

/// The operator that a case is about; nothing if it has several.
std::optional<std::string> subject_of(const Finding& finding) {
  if (finding.facts.nodes != 1 || finding.facts.operators.size() != 1) return std::nullopt;
  return *finding.facts.operators.begin();
}

struct OperatorCases {
  Counts own{};
  int models = 0, models_passed = 0;  ///< with other operators
};

std::map<std::string, OperatorCases> by_operator(const std::vector<Finding>& findings) {
  std::map<std::string, OperatorCases> all;
  for (const OperatorSpec& spec : ops::operators()) {
    if (!ops::is_contributed(spec.name)) all[std::string(spec.name)];
  }
  for (const Finding& finding : findings) {
    if (const auto subject = subject_of(finding)) {
      ++count_of(all[*subject].own, finding.result.outcome);
      continue;
    }
    for (const std::string& name : finding.facts.operators) {
      ++all[name].models;
      all[name].models_passed += finding.result.outcome == Outcome::Passed ? 1 : 0;
    }
  }
  return all;
}

std::string folder_table(const std::vector<Finding>& findings) {
  std::map<std::string, Counts> folders;
  for (const Finding& finding : findings)
    ++count_of(folders[finding.name.substr(0, finding.name.find('/'))], finding.result.outcome);
  std::string text = fmt::format("| folder |{}\n|---|{}\n", heads(), rules());
  for (const auto& [folder, counts] : folders) text += fmt::format("| {} |{}\n", folder, cells(counts));
  return text;
}

enum class Support : std::uint8_t { Defined, Bodies, None };

Support support_of(const std::string& name) {
  constexpr std::array kBodies{"If", "Loop", "Scan"};
  if (ops::find_operator(name)) return Support::Defined;
  return std::ranges::find(kBodies, name) == kBodies.end() ? Support::None : Support::Bodies;
}

std::string operator_table(const std::map<std::string, OperatorCases>& all, Support support) {
  const bool supported = support == Support::Defined;
  std::string text = fmt::format("| operator |{}{} in models |\n|---|{}{}---|\n",
                                 supported ? " opsets |" : "", heads(), supported ? "---|" : "", rules());
  for (const auto& [name, cases] : all) {
    if (support_of(name) != support) continue;
    text += fmt::format("| {} |", name);
    if (const OperatorSpec* spec = ops::find_operator(name))
      text += fmt::format(" {}–{} |", spec->opsets.first, spec->opsets.last);
    text += cells(cases.own);
    text += cases.models == 0 ? " |\n" : fmt::format(" {} of {} |\n", cases.models_passed, cases.models);
  }
  return text;
}

std::string contributed_list() {
  std::vector<std::string> names;
  for (const OperatorSpec& spec : ops::operators()) {
    if (ops::is_contributed(spec.name)) names.push_back(fmt::format("- {}\n", spec.name));
  }
  return fmt::format("{}", fmt::join(names, ""));
}

/// "node/test_abs" -> "abs"
std::string short_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string folder = name.substr(0, slash + 1), rest = name.substr(slash + 1);
  return (folder == "node/" ? "" : folder) + (rest.starts_with("test_") ? rest.substr(5) : rest);
}

/// "node 'y' (Pad): the pads .." -> "the pads ..": names of nodes say nothing here.
std::string short_reason(const std::string& reason) {
  const std::size_t end = reason.find(": ");
  return reason.starts_with("node '") && end != std::string::npos ? reason.substr(end + 2) : reason;
}

/// True if the table of unsupported operators has the reason too.
bool is_in_table(const std::string& reason, const std::string& subject) {
  return ops::find_operator(subject) == nullptr &&
         reason.starts_with(fmt::format("operator {} (opset ", subject.substr(subject.rfind(':') + 1)));
}

std::string reason_list(const std::vector<Finding>& findings, Outcome outcome) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> cases;  // by subject and reason
  for (const Finding& finding : findings) {
    if (finding.result.outcome != outcome) continue;
    const std::string subject = subject_of(finding).value_or("Several operators");
    // Reasons for other outcomes depend on the driver.
    const std::string reason = outcome == Outcome::Refused ? short_reason(finding.result.reason) : "";
    if (!is_in_table(reason, subject)) cases[subject][reason].push_back(short_name(finding.name));
  }
  std::string text;
  for (const auto& [subject, reasons] : cases) {
    text += fmt::format("\n### {}\n\n", subject);
    for (const auto& [reason, names] : reasons)
      text += fmt::format("- {}{}\n", reason.empty() ? "" : reason + ": ", fmt::join(names, ", "));
  }
  return text;
}

}  // namespace

std::string operators_document(const std::vector<Finding>& findings) {
  const auto all = by_operator(findings);
  std::string text = R"(# Operators

The operators of ONNX that a model may have, and what becomes of the cases that ONNX itself tests back
ends with, as Debian's package `libonnx-testdata` has them. The program `onnx_conformance`
(tests/onnx_data) runs them and writes this file; [HACKING](HACKING.md#onnxs-own-data) tells how. A case
passes if all outputs have the type and shape that ONNX expects, and values within its tolerances: 0.001
of the value and 0.0000001. Inputs that have to be known when the model is compiled, such as the shape of
a Reshape, are given as constants.

)";
  text += folder_table(findings);
  text += R"(
Out of scope are sequences, optional values, maps and strings, operators of other domains, training,
random numbers, operator sets after 28, complex numbers, and cases whose expected values are not what ONNX
says of the operator.

## Supported

Cases of an operator are those whose model has no other; the last column counts models of several
operators that pass.

)";
  text += operator_table(all, Support::Defined);
  text += R"(
## Supported, with bodies

The nodes of the body take their place: of an If with a condition that is a constant or follows from sizes, of
a short Loop or Scan as often as it repeats them. Of others one iteration is compiled
([MODELS](MODELS.md#sizes-that-stay-open)). Those of ONNX's cases are mostly over sequences.

)";
  text += operator_table(all, Support::Bodies);
  text += R"(
## Supported of ONNX Runtime

Operators that ONNX Runtime contributes, which its quantizer writes, and its optimizer up to the level
ORT_ENABLE_EXTENDED. They are compared with what it computes (tests/ops/contributed_cases.py);
[MODELS](MODELS.md#models-of-onnx-runtime) tells what differs. It writes SimplifiedLayerNormalization in
ONNX's own domain.

)";
  text += contributed_list();
  text += "\n## Not supported\n\n";
  text += operator_table(all, Support::None);
  text += "\n## Why cases are refused\n\nThose of operators that are not supported at all are left out.\n";
  text += reason_list(findings, Outcome::Refused);
  for (const Outcome outcome : {Outcome::Wrong, Outcome::Failed}) {
    if (const std::string cases = reason_list(findings, outcome); !cases.empty())
      text += fmt::format("\n## Cases that are {}\n{}", to_string(outcome), cases);
  }
  return text;
}

}  // namespace tensordsl::conformance

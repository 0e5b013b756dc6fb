#include "apps/tensordsl/diff/diff_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/text_table.h"

namespace tensordsl::cli {

using nlohmann::ordered_json;

namespace {

std::string shape_text(Type type, const std::vector<std::int64_t>& shape) {
  return fmt::format("{}[{}]", to_string(type), fmt::join(shape, ","));
}

/// Returns "Conv 'conv1'"; a node without a name is named by its output.
std::string node_text(const NodeOutput& tensor) {
  return tensor.node.empty() || tensor.node == tensor.name ? tensor.op
                                                           : fmt::format("{} '{}'", tensor.op, tensor.node);
}

/// "max |difference| 2, allowed 0.004"
std::string size_text(const Difference& d) {
  if (!d.has_shape) return fmt::format("wrong shape; expected [{}]", fmt::join(d.expected_shape, ", "));
  return fmt::format("max |difference| {:.3g}, allowed {:.3g}", d.largest, d.allowed);
}

/// Returns the details of the first difference.
std::string first_text(const DiffReport& report, const TensorCheck& check, std::optional<int> columns) {
  const Difference& d = check.difference;
  std::string text = labeled("first",
                             fmt::format("{} {}, of {}", check.tensor.name,
                                         shape_text(check.tensor.type, check.shape), node_text(check.tensor)),
                             columns);
  if (!check.tensor.text.empty()) text += labeled("", check.tensor.text, columns);
  if (!d.has_shape) return text + labeled("", size_text(d), columns);
  text +=
      labeled("",
              fmt::format("largest difference {:.6g} at [{}]: expected {:.9g}, found {:.9g}; allowed {:.3g} "
                          "({:g} of the largest)",
                          d.largest, fmt::join(d.place, ", "), d.expected, d.found, d.allowed, report.rtol),
              columns);
  return text +
         labeled("",
                 fmt::format("{} of {} elements differ by more than allowed; NaN: {} expected, {} found",
                             d.differing, d.elements, d.expected_nan, d.found_nan),
                 columns);
}

std::string table(const std::vector<TensorCheck>& checks) {
  std::vector<std::vector<std::string>> rows{
      {"tensor", "operator", "shape", "difference", "allowed", "differing", "NaN", ""}};
  for (const TensorCheck& check : checks) {
    const Difference& d = check.difference;
    rows.push_back({check.tensor.name, check.tensor.op, shape_text(check.tensor.type, check.shape),
                    d.has_shape ? fmt::format("{:.3g}", d.largest) : size_text(d),
                    fmt::format("{:.3g}", d.allowed), fmt::format("{} of {}", d.differing, d.elements),
                    std::to_string(d.found_nan), d.holds() ? "ok" : "FAILED"});
  }
  return text_table(rows);
}

/// "3 are not compared, merged with a node that reads them: a, b, c"
std::string left_out_text(const DiffReport& report, std::optional<int> columns) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> tensors;
  for (const DiffReport::LeftOut& one : report.left_out) {
    if (!tensors.contains(one.reason)) reasons.push_back(one.reason);
    tensors[one.reason].push_back(one.tensor);
  }
  std::string text;
  for (const std::string& reason : reasons) {
    std::vector<std::string> names = tensors[reason];
    const std::size_t count = names.size();
    if (!report.lists_all && count > kShown) {
      names.resize(kShown);
      names.emplace_back("..");
    }
    text += labeled(text.empty() ? "left out" : "",
                    fmt::format("{}, {}: {}", count, reason, fmt::join(names, ", ")), columns);
  }
  return text;
}

std::string conclusion(const DiffReport& report) {
  const bool outputs_hold =
      std::ranges::all_of(report.outputs, [](const TensorCheck& c) { return c.difference.holds(); });
  if (!report.first()) {
    if (outputs_hold) return report.keeps_fusion ? "the outputs agree" : "every tensor agrees";
    return report.keeps_fusion ? "no tensor before the output differs"
                               : "every tensor agrees when it is stored, but outputs of the Program differ: "
                                 "a kernel that fuses several nodes is wrong; --fused finds the tensor";
  }
  if (outputs_hold && !report.outputs.empty())
    return "the outputs of the Program agree, but a tensor before them differs";
  return "";
}

ordered_json to_json(const TensorCheck& check) {
  const Difference& d = check.difference;
  ordered_json json{{"tensor", check.tensor.name},
                    {"operator", check.tensor.op},
                    {"node", check.tensor.node},
                    {"text", check.tensor.text},
                    {"type", to_string(check.tensor.type)},
                    {"shape", check.shape},
                    {"expected_shape", d.expected_shape}};
  if (d.has_shape) {
    json["max_difference"] = json_number(d.largest);
    json["allowed"] = json_number(d.allowed);
    json["place"] = d.place;
    json["expected"] = json_number(d.expected);
    json["found"] = json_number(d.found);
    json["elements"] = d.elements;
    json["differing"] = d.differing;
    json["expected_nan"] = d.expected_nan;
    json["found_nan"] = d.found_nan;
  }
  json["holds"] = d.holds();
  return json;
}

ordered_json to_json(const std::vector<TensorCheck>& checks) {
  ordered_json json = ordered_json::array();
  for (const TensorCheck& check : checks) json.push_back(to_json(check));
  return json;
}

}  // namespace

const TensorCheck* DiffReport::first() const {
  const auto found =
      std::ranges::find_if(tensors, [](const TensorCheck& c) { return !c.difference.holds(); });
  return found == tensors.end() ? nullptr : &*found;
}

bool DiffReport::holds() const {
  return !first() && std::ranges::all_of(outputs, [](const TensorCheck& c) { return c.difference.holds(); });
}

ordered_json to_json(const DiffReport& report) {
  ordered_json json{
      {"model", report.model},     {"device", report.device},           {"precision", report.precision},
      {"against", report.against}, {"rtol", json_number(report.rtol)},  {"keeps_fusion", report.keeps_fusion},
      {"holds", report.holds()},   {"outputs", to_json(report.outputs)}};
  json["first"] = report.first() ? to_json(*report.first()) : ordered_json();
  json["compared"] = report.tensors.size();
  json["left_out"] = ordered_json::array();
  for (const auto& [tensor, reason] : report.left_out)
    json["left_out"].push_back({{"tensor", tensor}, {"reason", reason}});
  if (report.lists_all) json["tensors"] = to_json(report.tensors);
  return json;
}

std::string to_text(const DiffReport& report, std::optional<int> columns) {
  std::string text = labeled("device", report.device, columns) + labeled("against", report.against, columns);
  for (const std::string& input : report.inputs) text += labeled("input", input, columns);
  for (const TensorCheck& check : report.outputs) {
    text +=
        labeled("output",
                fmt::format("{} {}: {}: {}", check.tensor.name, shape_text(check.tensor.type, check.shape),
                            size_text(check.difference), check.difference.holds() ? "ok" : "FAILED"),
                columns);
  }
  const TensorCheck* first = report.first();
  const auto agreeing =
      first ? first - report.tensors.data() : static_cast<std::ptrdiff_t>(report.tensors.size());
  text += labeled("tensors",
                  report.keeps_fusion ? fmt::format("{} compared by bisection", report.tensors.size())
                  : first ? fmt::format("{} compared; the first {} agree", report.tensors.size(), agreeing)
                          : fmt::format("{} compared", report.tensors.size()),
                  columns);
  text += left_out_text(report, columns);
  if (report.lists_all && !report.tensors.empty()) text += "\n" + table(report.tensors) + "\n";
  if (first) text += first_text(report, *first, columns);
  if (const std::string end = conclusion(report); !end.empty()) text += labeled("result", end, columns);
  return text;
}

}  // namespace tensordsl::cli

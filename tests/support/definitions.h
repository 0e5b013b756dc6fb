// Graphs of Funcs for tests, as text.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "onnx/define_graph.h"
#include "onnx/evaluate_node.h"
#include "onnx/import_onnx.h"
#include "schedule/func_schedule.h"
#include "support/onnx_model.h"

namespace tensordsl::testing {

inline definitions::DefinitionGraph definitions_of(const OnnxModel& model) {
  return define_graph(model.import());
}

/// "y(n, c) over r_0:3 where r_0 < n = value", of its last definition; "{a, b}" of tuples.
inline std::string text(const Func& func) {
  const ir::Function& function = func.contents();
  const ir::Definition& last = function.definitions.back();
  std::string domain;
  for (const ir::ReductionAxis& axis : last.domain)
    domain += fmt::format(" {}:{}", axis.name, to_string(axis.extent));
  if (last.predicate.defined()) domain += " where " + to_string(last.predicate);
  std::vector<std::string> values;
  for (const Expr& value : last.values) values.push_back(to_string(value));
  const std::string value = fmt::format("{}", fmt::join(values, ", "));
  return fmt::format("{}({}){} = {}\n", function.name, fmt::join(function.dims, ", "),
                     domain.empty() ? "" : " over" + domain, values.size() > 1 ? "{" + value + "}" : value);
}

/// A line for each Func, with its role.
inline std::string text(const definitions::GroupFuncs& group) {
  std::string all;
  for (const Func& func : group.prologue) all += "prologue " + text(func);
  for (const Func& func : group.anchors) all += "anchor " + text(func);
  for (const Func& func : group.epilogue) all += "epilogue " + text(func);
  return all;
}

}  // namespace tensordsl::testing

#include "onnx/rewrite/narrow_doubles.h"

#include <algorithm>

namespace tensordsl::onnx {

std::optional<std::string> find_double(const Graph& graph) {
  const auto is_double = [&](const std::string& tensor) { return graph.info(tensor).type == Float(64); };
  for (const auto* names : {&graph.inputs, &graph.outputs}) {
    const auto found = std::ranges::find_if(*names, is_double);
    if (found != names->end()) return *found;
  }
  for (const auto& [name, info] : graph.tensors) {
    if (info.type == Float(64)) return name;
  }
  return std::nullopt;
}

Graph narrow_doubles(Graph graph) {
  for (auto& [name, info] : graph.tensors) {
    if (info.type != Float(64)) continue;
    info.type = Float(32);
    if (graph.is_input(name) || graph.is_output(name)) graph.outer_types[name] = Float(64);
  }
  for (auto& [name, value] : graph.constants) {
    if (value.type() == Float(64)) value = value.converted(Float(32));
  }
  return graph;
}

}  // namespace tensordsl::onnx

#include "onnx/shapes/size_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "ir/nodes/size_conversion.h"
#include "ops/size_of.h"

namespace tensordsl::onnx {
namespace {

using ops::Node;
using ops::Size;

/// Elements [0, end) of a dimension of a tensor, which is `extent`.
struct NeededOf {
  std::string tensor;
  std::size_t dimension = 0;
  Size end, extent;
};

/// Returns the number that the size is where its only symbol is `value`; nothing if it has others.
std::optional<std::int64_t> value_at(const Size& size, const std::string& symbol, std::int64_t value) {
  if (size.symbols() != std::vector{symbol}) return std::nullopt;
  const Size number = size.with_atoms(
      [&](const Expr& atom) { return ops::size_of(atom, [&](const std::string&) { return Size(value); }); });
  return number.is_known() ? std::optional(number.value()) : std::nullopt;
}

/// Returns what an operand of the node, or an input, has to have. Where the condition is that n is not 0, a
/// dimension of n + 2 has to have 3 elements.
std::optional<NeededOf> needed_of_operand(const Graph& graph, const Node& node, const Size& condition) {
  const std::vector<std::string> symbols = condition.symbols();
  std::vector<std::string> tensors = node.inputs;
  tensors.insert(tensors.end(), graph.inputs.begin(), graph.inputs.end());
  for (const std::string& tensor : tensors) {
    if (tensor.empty()) continue;
    const ops::Shape& shape = graph.info(tensor).shape;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const Size apart = shape[d] - condition;
      if (apart.is_known() && apart.value() > 0) return NeededOf{tensor, d, apart, shape[d]};
      if (symbols.size() != 1) continue;
      const auto of_none = value_at(shape[d], symbols[0], 0), of_one = value_at(shape[d], symbols[0], 1);
      if (of_none && of_one && *of_none < *of_one) return NeededOf{tensor, d, *of_one, shape[d]};
    }
  }
  return std::nullopt;
}

/// True if the condition holds where its only symbol is 0, too.
bool holds_for_none(const Size& condition) {
  const std::vector<std::string> symbols = condition.symbols();
  const auto value = symbols.size() == 1 ? value_at(condition, symbols[0], 0) : std::nullopt;
  return value && *value >= 0;
}

void add_requirement(Graph& graph, const Node& node, const Size& condition) {
  if (holds_for_none(condition)) return;
  const std::string& tensor = node.inputs.empty() ? graph.inputs.front() : node.inputs.front();
  const NeededOf needed =
      needed_of_operand(graph, node, condition).value_or(NeededOf{tensor, 0, Size(1), condition + 1});
  const SizeExpr end = ir::to_size(needed.end.expr()), extent = ir::to_size(needed.extent.expr());
  const auto is_same = [&](const ReadRequirement& known) {
    return known.begin == 0 && known.end == end && known.extent == extent;
  };
  if (std::ranges::any_of(graph.requirements, is_same)) return;
  graph.requirements.push_back(
      {label(node), needed.tensor, static_cast<int>(needed.dimension), "", 1, 0, end, extent, true});
}

}  // namespace

void check_at_launch(Graph& graph, const Node& node, ops::Sizes& sizes) {
  for (Size& size : sizes) {
    for (const Size& condition : size.conditions()) add_requirement(graph, node, condition);
    size = size.without_conditions();
  }
}

}  // namespace tensordsl::onnx

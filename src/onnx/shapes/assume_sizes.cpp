#include "onnx/shapes/assume_sizes.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nodes/size_conversion.h"
#include "ops/size_of.h"

namespace tensordsl::onnx {
namespace {

using ops::AssumedSize;
using ops::Node;
using ops::Size;
using ops::Sizes;

/// Returns the symbols in the order of the inputs.
std::vector<std::string> symbols_of(const Graph& graph) {
  std::vector<std::string> symbols;
  for (const std::string& input : graph.inputs) {
    for (const Size& extent : graph.info(input).shape) {
      for (const std::string& symbol : extent.symbols())
        if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(symbol);
    }
  }
  return symbols;
}

void substitute(Sizes& sizes, const AssumedSize& assumed) {
  for (Size& size : sizes) size = substitute(size, assumed);
}

void substitute(SizeExpr& expr, const AssumedSize& assumed) {
  if (const auto size = size_of(ir::to_expr(expr), Size::symbol))
    expr = ir::to_size(substitute(*size, assumed).expr());
}

/// Replaces a symbolic dimension, which is not a Param any more, in the checks of the launch.
void substitute(ReadRequirement& requirement, const AssumedSize& assumed) {
  for (SizeExpr* size : {&requirement.begin, &requirement.end, &requirement.extent})
    substitute(*size, assumed);
}

/// Returns the first operand of `node` with the assumed size in its shape, and where; the first operand if
/// there is none.
std::pair<std::string, std::size_t> dimension_of(const Graph& graph, const Node& node,
                                                 const AssumedSize& assumed) {
  for (const std::string& input : node.inputs) {
    if (input.empty()) continue;
    const ops::Shape& shape = graph.info(input).shape;
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (substitute(shape[d], assumed) != shape[d]) return {input, d};
  }
  return {node.inputs.front(), 0};
}

/// Makes the launch check the assumed value of the extremum: that there are enough elements.
ReadRequirement requirement_of(const Graph& graph, const Node& node, const AssumedSize& assumed) {
  const auto [tensor, d] = dimension_of(graph, node, assumed);
  const bool is_longer = to_string(assumed.size).starts_with("max");
  const Size& end = is_longer ? assumed.size : assumed.value;
  const Size& extent = is_longer ? assumed.value : assumed.size;
  return {label(node), tensor, static_cast<int>(d),     "",
          1,           0,      ir::to_size(end.expr()), ir::to_size(extent.expr()),
          true};
}

}  // namespace

void substitute(Node& node, const AssumedSize& assumed) {
  ops::Attributes attributes;
  for (auto [name, value] : node.attributes.values()) {
    if (Sizes* sizes = std::get_if<Sizes>(&value)) substitute(*sizes, assumed);
    attributes.set(name, std::move(value));
  }
  node.attributes = std::move(attributes);
}

std::optional<AssumedSize> assume_sizes(Graph& graph, const Node& node, const ops::UnequalSizes& unequal) {
  const auto assumed = assume_equal(unequal.a, unequal.b, symbols_of(graph));
  if (!assumed) return std::nullopt;
  if (assumed->is_of_symbol()) {
    for (ReadRequirement& requirement : graph.requirements) substitute(requirement, *assumed);
  } else {
    graph.requirements.push_back(requirement_of(graph, node, *assumed));
  }
  for (auto& [name, tensor] : graph.tensors) substitute(tensor.shape, *assumed);
  for (auto& [name, sizes] : graph.sizes) substitute(sizes, *assumed);
  for (Graph::Count& count : graph.counts) count.bound = substitute(count.bound, *assumed);
  for (Node& other : graph.nodes) substitute(other, *assumed);
  const std::string remedy = assumed->is_of_symbol()
                                 ? fmt::format("--dim {}=NUMBER fixes it", to_string(assumed->size))
                                 : "other inputs are rejected";
  graph.warnings.push_back(fmt::format("{} {} is assumed to be {}, because otherwise: {}; {}",
                                       assumed->is_of_symbol() ? "the symbolic dimension" : "the size",
                                       to_string(assumed->size), to_string(assumed->value), unequal.what(),
                                       remedy));
  return assumed;
}

}  // namespace tensordsl::onnx

#include "onnx/assume_sizes.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl {
namespace {

/// In the order of the inputs.
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

}  // namespace

void substitute(Node& node, const AssumedSize& assumed) {
  Attributes attributes;
  for (auto [name, value] : node.attributes.values()) {
    if (Sizes* sizes = std::get_if<Sizes>(&value)) substitute(*sizes, assumed);
    attributes.set(name, std::move(value));
  }
  node.attributes = std::move(attributes);
}

std::optional<AssumedSize> assume_sizes(Graph& graph, const UnequalSizes& unequal) {
  const auto assumed = assume_equal(unequal.a, unequal.b, symbols_of(graph));
  if (!assumed) return std::nullopt;
  for (auto& [name, tensor] : graph.tensors) substitute(tensor.shape, *assumed);
  for (auto& [name, sizes] : graph.sizes) substitute(sizes, *assumed);
  for (Graph::Count& count : graph.counts) count.bound = substitute(count.bound, *assumed);
  for (Node& node : graph.nodes) substitute(node, *assumed);
  graph.warnings.push_back(
      fmt::format("the symbolic dimension {} is taken to be {}, without which: {}; --dim {}=NUMBER fixes it",
                  assumed->symbol, to_string(assumed->value), unequal.what(), assumed->symbol));
  return assumed;
}

}  // namespace tensordsl

#include "graph/normalize_node.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "ops/shapes/shape_rule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Ints = std::vector<std::int64_t>;

/// One node on its way to the normal form.
struct Rewrite {
  Graph& graph;
  std::set<std::string>& taken;

  std::string fresh_tensor(const std::string& base) {
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}.{}", base, i);
    return name;
  }
};

[[noreturn]] void refuse(const Node& node, const std::string& what) {
  throw ModelError(fmt::format("{}: {}", label(node), what));
}

std::string operand(const Node& node, std::size_t i) { return i < node.inputs.size() ? node.inputs[i] : ""; }

const TensorInfo& data_info(const Graph& graph, const Node& node) {
  if (operand(node, 0).empty()) refuse(node, "input 0 is absent");
  return graph.info(node.inputs[0]);
}

/// The constant that input `i` is. Throws ModelError if it is computed while the model runs.
const Buffer& constant_operand(const Graph& graph, const Node& node, std::size_t i, std::string_view what) {
  const auto found = graph.constants.find(operand(node, i));
  if (found == graph.constants.end()) {
    refuse(node, fmt::format("the {} '{}' is computed when the model runs; supported: a constant {}", what,
                             operand(node, i), what));
  }
  return found->second;
}

Ints constant_ints(const Graph& graph, const Node& node, std::size_t i, std::string_view what) {
  const Buffer& buffer = constant_operand(graph, node, i, what);
  // 2 * kMaxRank: pads has a begin and an end for every dimension.
  if (buffer.type().is_float() || buffer.elements() > static_cast<std::int64_t>(2 * kMaxRank)) {
    refuse(node, fmt::format("the {} '{}' is {}{}; it must be a short list of integers", what,
                             operand(node, i), to_string(buffer.type()), to_string(buffer.shape())));
  }
  Ints values;
  for (std::int64_t k = 0; k < buffer.elements(); ++k) values.push_back(buffer.get_int(k));
  return values;
}

double constant_scalar(const Graph& graph, const Node& node, std::size_t i, std::string_view what) {
  const Buffer& buffer = constant_operand(graph, node, i, what);
  if (buffer.elements() != 1) {
    refuse(node, fmt::format("the {} '{}' has the shape {}; it must be one number", what, operand(node, i),
                             to_string(buffer.shape())));
  }
  return buffer.get(0);
}

/// Clip(x, min, max)  ->  Clip(x) {min, max}; with bounds that are computed  ->  Min(Max(x, min), max)
std::vector<Node> normalize_clip(Rewrite& rewrite, Node node) {
  static constexpr std::array<std::pair<const char*, const char*>, 2> kBounds{
      {{"min", "Max"}, {"max", "Min"}}};
  const auto is_literal = [&](std::size_t i) {
    constexpr double kExact = 9007199254740992.0;  // 2^53: integers beyond may not survive as an attribute
    const auto found = rewrite.graph.constants.find(operand(node, i));
    return operand(node, i).empty() ||
           (found != rewrite.graph.constants.end() && found->second.elements() == 1 &&
            (found->second.type().is_float() || std::abs(found->second.get(0)) < kExact));
  };
  if (is_literal(1) && is_literal(2)) {
    for (std::size_t i = 0; i < kBounds.size(); ++i) {
      if (operand(node, i + 1).empty()) continue;
      node.attributes.set(kBounds[i].first, constant_scalar(rewrite.graph, node, i + 1, kBounds[i].first));
    }
    node.inputs.resize(1);
    return {std::move(node)};
  }
  std::vector<Node> steps;
  std::string value = operand(node, 0);
  for (std::size_t i = 0; i < kBounds.size(); ++i) {
    if (operand(node, i + 1).empty()) continue;
    const std::string result = rewrite.fresh_tensor(fmt::format("{}.{}", node.outputs[0], kBounds[i].first));
    steps.push_back({fmt::format("{}.{}", node.name, kBounds[i].first),
                     kBounds[i].second,
                     {value, operand(node, i + 1)},
                     {result},
                     {}});
    value = result;
  }
  steps.back().outputs = node.outputs;
  return steps;
}

/// At inference Dropout gives back its input.
std::vector<Node> normalize_dropout(Rewrite& rewrite, Node node) {
  if (!operand(node, 2).empty() && constant_scalar(rewrite.graph, node, 2, "training_mode") != 0) {
    refuse(node, "training_mode = 1 is not supported; supported: 0 (inference)");
  }
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

std::vector<Node> normalize_batch_normalization(Rewrite&, Node node) {
  for (const auto& [name, supported] : {std::pair{"spatial", 1}, std::pair{"training_mode", 0}}) {
    const std::int64_t value = node.attributes.get<std::int64_t>(name, supported);
    if (value != supported)
      refuse(node, fmt::format("attribute {} = {} is not supported; supported: {}", name, value, supported));
    node.attributes.erase(name);
  }
  return {std::move(node)};
}

/// Reshape(x, shape)  ->  Reshape(x) {shape}
std::vector<Node> normalize_reshape(Rewrite& rewrite, Node node) {
  node.attributes.set("shape", constant_ints(rewrite.graph, node, 1, "shape"));
  node.inputs.resize(1);
  return {std::move(node)};
}

/// Squeeze(x, axes), Unsqueeze(x, axes)  ->  the same {axes}. Before opset 13 axes is an attribute already.
std::vector<Node> normalize_axes(Rewrite& rewrite, Node node) {
  if (!operand(node, 1).empty()) node.attributes.set("axes", constant_ints(rewrite.graph, node, 1, "axes"));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

/// Before opset 13: y = Softmax(x) {axis} normalizes over all dimensions from axis on
///   ->  y = Reshape(Softmax(Reshape(x) {shape = [before, from axis]}) {axis = 1}) {shape of x}
std::vector<Node> normalize_softmax(Rewrite& rewrite, Node node) {
  if (rewrite.graph.opset >= 13) return {std::move(node)};
  const Shape shape = data_info(rewrite.graph, node).shape;
  std::int64_t axis = node.attributes.get<std::int64_t>("axis", 1);
  try {
    axis = normal_axis(axis, shape.size());
  } catch (const ShapeError& error) {
    refuse(node, error.what());
  }
  node.attributes.set("axis", axis);
  if (axis + 1 == static_cast<std::int64_t>(shape.size())) return {std::move(node)};

  const auto product = [](auto begin, auto end) {
    return std::accumulate(begin, end, std::int64_t{1}, std::multiplies<>());
  };
  Node flatten{
      node.name + ".flatten", "Reshape", node.inputs, {rewrite.fresh_tensor(node.outputs[0] + ".flat")}, {}};
  flatten.attributes.set("shape", Ints{product(shape.begin(), shape.begin() + axis),
                                       product(shape.begin() + axis, shape.end())});
  Node restore{node.name + ".restore",
               "Reshape",
               {rewrite.fresh_tensor(node.outputs[0] + ".softmax")},
               node.outputs,
               {}};
  restore.attributes.set("shape", shape);
  node.inputs = flatten.outputs;
  node.outputs = restore.inputs;
  node.attributes.set("axis", std::int64_t{1});
  return {std::move(flatten), std::move(node), std::move(restore)};
}

/// Pad(x, pads, value, axes)  ->  Pad(x) {pads, value}. Before opset 11 they are attributes already.
std::vector<Node> normalize_pad(Rewrite& rewrite, Node node) {
  if (!operand(node, 1).empty()) {
    const std::size_t rank = data_info(rewrite.graph, node).shape.size();
    Ints pads = constant_ints(rewrite.graph, node, 1, "pads");
    if (!operand(node, 3).empty()) {
      const Ints axes = constant_ints(rewrite.graph, node, 3, "axes");
      if (pads.size() != 2 * axes.size()) {
        refuse(node, fmt::format("pads = {} and axes = {} do not match", to_string(pads), to_string(axes)));
      }
      Ints all(2 * rank, 0);
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] < 0 ? axes[i] + static_cast<std::int64_t>(rank) : axes[i];
        if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) {
          refuse(node, fmt::format("axis {} is outside a tensor of {} dimensions", axes[i], rank));
        }
        all[static_cast<std::size_t>(axis)] = pads[i];
        all[static_cast<std::size_t>(axis) + rank] = pads[i + axes.size()];
      }
      pads = std::move(all);
    }
    node.attributes.set("pads", pads);
  }
  if (!operand(node, 2).empty())
    node.attributes.set("value", constant_scalar(rewrite.graph, node, 2, "constant_value"));
  if (node.inputs.size() > 1) node.inputs.resize(1);
  return {std::move(node)};
}

/// Min(a, b, c)  ->  Min(Min(a, b), c);  Min(a)  ->  Identity(a)
std::vector<Node> normalize_variadic(Rewrite& rewrite, Node node) {
  if (node.inputs.size() == 1) node.op = "Identity";
  if (node.inputs.size() <= 2) return {std::move(node)};
  std::vector<Node> steps;
  std::string value = node.inputs[0];
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const bool last = i + 1 == node.inputs.size();
    const std::string result =
        last ? node.outputs[0] : rewrite.fresh_tensor(fmt::format("{}.partial{}", node.outputs[0], i));
    steps.push_back({node.name, node.op, {value, node.inputs[i]}, {result}, {}});
    value = result;
  }
  return steps;
}

/// The exponent of Pow may be of another type than the base (opset 12); a constant one is converted.
std::vector<Node> normalize_pow(Rewrite& rewrite, Node node) {
  const Type base = data_info(rewrite.graph, node).type;
  const auto exponent = rewrite.graph.constants.find(operand(node, 1));
  if (exponent != rewrite.graph.constants.end() && exponent->second.type() != base) {
    const std::string converted = rewrite.fresh_tensor(node.outputs[0] + ".exponent");
    rewrite.graph.add_constant(converted, exponent->second.converted(base));
    node.inputs[1] = converted;
  }
  return {std::move(node)};
}

using Rule = std::vector<Node> (*)(Rewrite&, Node);

constexpr std::array<std::pair<std::string_view, Rule>, 11> kRules{{
    {"BatchNormalization", normalize_batch_normalization},
    {"Clip", normalize_clip},
    {"Dropout", normalize_dropout},
    {"Max", normalize_variadic},
    {"Min", normalize_variadic},
    {"Pad", normalize_pad},
    {"Pow", normalize_pow},
    {"Reshape", normalize_reshape},
    {"Softmax", normalize_softmax},
    {"Squeeze", normalize_axes},
    {"Unsqueeze", normalize_axes},
}};

}  // namespace

std::vector<Node> normalize_node(Graph& graph, Node node, std::set<std::string>& taken) {
  Rewrite rewrite{graph, taken};
  for (const auto& [op, rule] : kRules) {
    if (node.op == op) return rule(rewrite, std::move(node));
  }
  return {std::move(node)};
}

}  // namespace tensordsl

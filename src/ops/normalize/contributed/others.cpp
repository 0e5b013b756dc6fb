// Operators that ONNX has too, in another form.
#include <fmt/format.h>

#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

/// The node as one of ONNX's operator `op`, in its newest form.
Node renamed(Node node, const char* op) {
  node.op = op;
  return node;
}

}  // namespace

std::vector<Node> dequantize_linear(NodeContext&, Node node) {
  return {renamed(std::move(node), "DequantizeLinear")};
}

std::vector<Node> quantize_linear(NodeContext&, Node node) {
  return {renamed(std::move(node), "QuantizeLinear")};
}

std::vector<Node> grid_sample(NodeContext&, Node node) { return {renamed(std::move(node), "GridSample")}; }

std::vector<Node> pad(NodeContext& context, Node node) {
  const TensorInfo& pads = context.info(node.inputs[1]);
  if (pads.shape.size() > 1 && (pads.shape.size() > 2 || pads.shape[0] != Size(1)))
    refuse(node,
           fmt::format("the pads are {}; they must be a vector, or a matrix of one row", to_string(pads)));
  return normalize::pad(context, renamed(std::move(node), "Pad"));
}

std::vector<Node> range(NodeContext& context, Node node) {
  if (node.input(2).empty()) {
    const std::string one = context.fresh_tensor(node.outputs[0] + ".delta");
    Buffer value(data_info(context, node).type, {});
    value.set(0, 1);
    context.add_constant(one, std::move(value));
    node.inputs.resize(2);
    node.inputs.push_back(one);
  }
  return normalize::range(context, renamed(std::move(node), "Range"));
}

std::vector<Node> trilu(NodeContext& context, Node node) {
  return normalize::trilu(context, renamed(std::move(node), "Trilu"));
}

std::vector<Node> unique(NodeContext& context, Node node) {
  // ONNX's Unique gives the first positions too, as output 1; the index of each element is its output 2.
  if (node.outputs.size() > 1)
    node.outputs.insert(node.outputs.begin() + 1, context.fresh_tensor(node.outputs[0] + ".first"));
  node.attributes.set("sorted", std::int64_t{0});
  return normalize::unique(context, renamed(std::move(node), "Unique"));
}

std::vector<Node> conv_transpose_with_dynamic_pads(NodeContext& context, Node node) {
  if (!node.input(2).empty()) node.attributes.set("pads", constant_ints(context, node, 2, "pads"));
  const std::string bias = node.input(3);
  node.inputs.resize(2);
  if (!bias.empty()) node.inputs.push_back(bias);
  return {renamed(std::move(node), "ConvTranspose")};
}

std::vector<Node> nhwc_max_pool(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::size_t rank = made.shape(0).size();
  if (rank < 3) refuse(node, fmt::format("input 0 is {}; it must be [N,..,C]", to_string(made.info(0))));
  const std::string y = made.add(
      "pool", "MaxPool", {made.channels_first("channels_first", made.input(0), rank)}, node.attributes);
  made.give(0, made.channels_last("channels_last", y, rank));
  return made.take();
}

std::vector<Node> c_dist(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const std::string metric = node.attributes.get<std::string>("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean") {
    refuse(node, fmt::format("attribute metric = \"{}\" is not supported; supported: sqeuclidean, euclidean",
                             metric));
  }
  const Shape &a = made.shape(0), &b = made.shape(1);
  if (a.size() != 2 || b.size() != 2)
    refuse(node, fmt::format("the inputs are {} and {}; they must be matrices", to_string(made.info(0)),
                             to_string(made.info(1))));
  const std::string difference = made.add("difference", "Sub",
                                          {made.reshape("rows", made.input(0), {a[0], 1, a[1]}),
                                           made.reshape("columns", made.input(1), {1, b[0], b[1]})});
  const std::string squares = made.add("squares", "ReduceSumSquare", {difference},
                                       attributes_of({{"axes", Ints{2}}, {"keepdims", std::int64_t{0}}}));
  made.give(0, metric == "euclidean" ? made.add("root", "Sqrt", {squares}) : squares);
  return made.take();
}

}  // namespace tensordsl::ops::normalize::contributed

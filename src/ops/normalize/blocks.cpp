#include <fmt/format.h>

#include "ops/assumed_sizes.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

/// Reshape to `split`, Transpose by `perm`, Reshape to `joined`.
std::vector<Node> split_and_joined(NodeContext& context, const Node& node, Sizes split, Ints perm,
                                   Sizes joined) {
  Node first = step_of(context, node, "split", "Reshape", {node.input(0)});
  first.attributes.set("shape", std::move(split));
  Node second = step_of(context, node, "transposed", "Transpose", first.outputs);
  second.attributes.set("perm", std::move(perm));
  Node last{node.name, "Reshape", second.outputs, node.outputs, {}};
  last.attributes.set("shape", std::move(joined));
  return {std::move(first), std::move(second), std::move(last)};
}

struct Blocks {
  Shape x;
  std::int64_t size;
};

Blocks blocks_of(const NodeContext& context, const Node& node) {
  const TensorInfo& x = data_info(context, node);
  const std::int64_t size = node.attributes.get<std::int64_t>("blocksize");
  constexpr std::int64_t kMost = 1 << 15;
  if (x.shape.size() != 4) refuse(node, fmt::format("the input is {}; it must be [N,C,H,W]", to_string(x)));
  if (size < 1 || size > kMost)
    refuse(node, fmt::format("attribute blocksize = {} is not supported; supported: 1 to {}", size, kMost));
  return {x.shape, size};
}

Size quotient_of(const Blocks& blocks, std::size_t d, std::int64_t divisor) {
  const auto result = exact_quotient(blocks.x[d], divisor);
  if (!result) {
    refuse_indivisible(fmt::format("dimension {} of {} is not a multiple of {}, with blocksize = {}", d,
                                   to_string(blocks.x), divisor, blocks.size),
                       blocks.x[d], divisor);
  }
  return *result;
}

}  // namespace

std::vector<Node> depth_to_space(NodeContext& context, Node node) {
  const Blocks blocks = blocks_of(context, node);
  const Shape& x = blocks.x;
  const std::int64_t b = blocks.size;
  const Size channels = quotient_of(blocks, 1, b * b);
  const std::string mode = node.attributes.get<std::string>("mode", "DCR");
  const Sizes joined{x[0], channels, x[2] * b, x[3] * b};
  if (mode == "DCR")
    return split_and_joined(context, node, {x[0], b, b, channels, x[2], x[3]}, {0, 3, 4, 1, 5, 2}, joined);
  if (mode == "CRD")
    return split_and_joined(context, node, {x[0], channels, b, b, x[2], x[3]}, {0, 1, 4, 2, 5, 3}, joined);
  refuse(node, fmt::format("attribute mode = \"{}\" is not supported; supported: DCR, CRD", mode));
}

std::vector<Node> space_to_depth(NodeContext& context, Node node) {
  const Blocks blocks = blocks_of(context, node);
  const Shape& x = blocks.x;
  const std::int64_t b = blocks.size;
  const Size rows = quotient_of(blocks, 2, b), columns = quotient_of(blocks, 3, b);
  const Sizes split{x[0], x[1], rows, b, columns, b}, joined{x[0], x[1] * (b * b), rows, columns};
  const std::string mode = node.attributes.get<std::string>("mode", "DCR");
  if (mode == "DCR") return split_and_joined(context, node, split, {0, 3, 5, 1, 2, 4}, joined);
  if (mode == "CRD") return split_and_joined(context, node, split, {0, 1, 3, 5, 2, 4}, joined);
  refuse(node, fmt::format("attribute mode = \"{}\" is not supported; supported: DCR, CRD", mode));
}

}  // namespace tensordsl::ops::normalize

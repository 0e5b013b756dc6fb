#include "ops/normalize/normalization.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::normalize {
namespace {

const Buffer& constant_operand(const NodeContext& context, const Node& node, std::size_t i,
                               std::string_view what) {
  const Buffer* value = context.constant(node.input(i));
  if (!value) {
    refuse(node, fmt::format("the {} '{}' is computed when the model runs; supported: a constant {}", what,
                             node.input(i), what));
  }
  return *value;
}

}  // namespace

void refuse(const Node& node, const std::string& what) {
  throw ModelError(fmt::format("{}: {}", label(node), what));
}

void drop_is_test(const NodeContext& context, Node& node) {
  if (context.opset() >= 7) return;
  if (node.attributes.get<std::int64_t>("is_test", 1) == 0)
    refuse(node, "attribute is_test = 0 is not supported; supported: 1 (inference)");
  node.attributes.erase("is_test");
}

const TensorInfo& data_info(const NodeContext& context, const Node& node) {
  if (node.input(0).empty()) refuse(node, "input 0 is absent");
  return context.info(node.inputs[0]);
}

Ints constant_ints(const NodeContext& context, const Node& node, std::size_t i, std::string_view what) {
  const Buffer& buffer = constant_operand(context, node, i, what);
  // 2 * kMaxRank: pads has a begin and an end for every dimension.
  if (buffer.type().is_float() || buffer.elements() > static_cast<std::int64_t>(2 * kMaxRank)) {
    refuse(node, fmt::format("the {} '{}' is {}{}; it must be a short list of integers", what, node.input(i),
                             to_string(buffer.type()), to_string(buffer.shape())));
  }
  Ints values;
  for (std::int64_t k = 0; k < buffer.elements(); ++k) values.push_back(buffer.get_int(k));
  return values;
}

Sizes size_operand(const NodeContext& context, const Node& node, std::size_t i, std::string_view what) {
  if (const Sizes* sizes = context.sizes(node.input(i))) return *sizes;
  const Ints numbers = constant_ints(context, node, i, what);
  return {numbers.begin(), numbers.end()};
}

double constant_scalar(const NodeContext& context, const Node& node, std::size_t i, std::string_view what) {
  const Buffer& buffer = constant_operand(context, node, i, what);
  if (buffer.elements() != 1) {
    refuse(node, fmt::format("the {} '{}' has the shape {}; it must be one number", what, node.input(i),
                             to_string(buffer.shape())));
  }
  return buffer.get(0);
}

}  // namespace tensordsl::normalize

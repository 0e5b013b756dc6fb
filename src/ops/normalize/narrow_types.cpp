// Casts from and to types that the language does not have, and numbers that stand for others in them.
#include "ops/narrow_types.h"

#include <fmt/format.h>

#include "ops/element_types.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/inferred_node.h"

namespace tensordsl::ops::normalize {
namespace {

/// Attributes of a cast to the type with this number, which is narrow.
Attributes narrow_cast(const Node& node, std::int64_t number) {
  const std::string mode = node.attributes.get<std::string>("round_mode", "up");
  if (mode != "up" && mode != "down" && mode != "nearest")
    refuse(node,
           fmt::format("attribute round_mode = \"{}\" is not supported; supported: up, down, nearest", mode));
  // A value that is too large for 16 bits is an infinity.
  const bool saturates =
      find_narrow_type(number)->bits <= 8 && read_flag(node.attributes, "saturate", 1) != 0;
  return attributes_of(
      {{"round_mode", mode}, {"saturate", static_cast<std::int64_t>(saturates)}, {"to", number}});
}

std::vector<Node> cast_to(NodeContext& context, Node node, std::int64_t number) {
  context.set_element_type(node.outputs[0], number);
  if (find_narrow_type(number)) {
    node.attributes = narrow_cast(node, number);
    node.op = "CastToNarrow";
  } else {
    node.attributes = attributes_of({{"to", number}});
    node.op = "Cast";
  }
  return {std::move(node)};
}

}  // namespace

std::vector<Node> cast(NodeContext& context, Node node) {
  return cast_to(context, std::move(node), node.attributes.get<std::int64_t>("to"));
}

std::vector<Node> bit_cast(NodeContext& context, Node node) {
  if (node.input(0).empty()) return {std::move(node)};
  const auto to = node.attributes.get<std::int64_t>("to");
  for (const std::int64_t number : {context.element_type(node.inputs[0]), to}) {
    if (const NarrowType* narrow = find_narrow_type(number))
      refuse(node,
             fmt::format(
                 "{} is stored as {}, with a different number of bits; supported: types that kernels have",
                 narrow->name, to_string(narrow->held)));
  }
  context.set_element_type(node.outputs[0], to);
  return {std::move(node)};
}

std::vector<Node> cast_like(NodeContext& context, Node node) {
  if (node.input(1).empty()) return {std::move(node)};
  const std::int64_t number = context.element_type(node.inputs[1]);
  node.inputs.resize(1);
  return cast_to(context, std::move(node), number);
}

std::vector<Node> quantize_linear(NodeContext& context, Node node) {
  const std::int64_t zero = node.input(2).empty() ? 0 : context.element_type(node.inputs[2]);
  std::int64_t number = node.attributes.get<std::int64_t>("output_dtype", 0);
  if (number == 0) number = zero == 0 ? element_type_number(UInt(8)) : zero;
  context.set_element_type(node.outputs[0], number);
  const NarrowType *type = find_narrow_type(number), *zero_type = find_narrow_type(zero);
  if (zero != 0 && zero != number && (type || zero_type)) {
    refuse(node, fmt::format("the zero point is {} and the output {}; their types must be the same",
                             element_type_name(zero), element_type_name(number)));
  }
  if (type) {
    node.attributes.set("output_dtype", number);
    node.attributes.set("saturate", read_flag(node.attributes, "saturate", 1));
  } else {
    node.attributes.erase("saturate");
  }
  return {std::move(node)};
}

std::vector<Node> dequantize_linear(NodeContext& context, Node node) {
  if (node.input(0).empty() || node.input(1).empty()) return {std::move(node)};
  const std::int64_t from = context.element_type(node.inputs[0]);
  if (const NarrowType* type = find_narrow_type(from); type && type->held.is_float())
    node.attributes.set("x_dtype", from);
  std::int64_t to = node.attributes.get<std::int64_t>("output_dtype", 0);
  if (to == 0) to = context.element_type(node.inputs[1]);
  context.set_element_type(node.outputs[0], to);
  const NarrowType* type = find_narrow_type(to);
  if (!type) return {std::move(node)};
  Node narrowed{node.name, "CastToNarrow", {}, node.outputs, narrow_cast(node, to)};
  node.attributes.set("output_dtype", element_type_number(type->held));
  node.outputs[0] = context.fresh_tensor(node.outputs[0] + ".wide");
  narrowed.inputs = node.outputs;
  context.set_element_type(node.outputs[0], element_type_number(type->held));
  return {std::move(node), std::move(narrowed)};
}

}  // namespace tensordsl::ops::normalize

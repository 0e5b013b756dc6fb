// DynamicQuantizeLinear: many rows are read by many work-groups, each of which finds the extremes of one.
#include <fmt/format.h>

#include <algorithm>

#include "ops/element_types.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {

std::vector<Node> dynamic_quantize_linear(NodeContext& context, Node node) {
  const TensorInfo& info = data_info(context, node);
  if (info.type != Float(32)) refuse(node, fmt::format("input 0 is {}; supported: f32", to_string(info)));
  Composition nodes(context, node);
  const std::string& x = node.inputs[0];

  // Reduces over channels of images, or over rows of tensors with fewer dimensions.
  const std::size_t axis = info.shape.empty() ? 0 : std::min<std::size_t>(2, info.shape.size() - 1);
  const Size rows =
      element_count(Shape(info.shape.begin(), info.shape.begin() + static_cast<std::ptrdiff_t>(axis)));
  // The extremes of the rows have the quantization parameters of all elements.
  const std::string some = rows == Size(1)
                               ? x
                               : nodes.add("extremes", "RowExtremes", {x},
                                           attributes_of({{"axis", static_cast<std::int64_t>(axis)}}));
  const std::string parameters = nodes.add("parameters", "QuantizationParameters", {some});
  const std::string scale = nodes.reshape("scale", nodes.part("scale_part", parameters, 1, 0, 0, 1), {});
  const std::string zero = nodes.add(
      "zero", "Cast", {nodes.reshape("zero_value", nodes.part("zero_part", parameters, 1, 0, 1, 0), {})},
      attributes_of({{"to", element_type_number(UInt(8))}}));
  nodes.give(0, nodes.add("quantized", "QuantizeLinear", {x, scale, zero}));
  nodes.give(1, scale);
  nodes.give(2, zero);
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize

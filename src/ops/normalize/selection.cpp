// Operators whose outputs have as many elements as data says, which a kernel counts.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/normalize/sorted_keys.h"

namespace tensordsl::ops::normalize {
namespace {

// ONNX's numbers of types.
constexpr std::int64_t kInt32 = 6, kInt64 = 7, kBool = 9;

Buffer numbers(const Ints& values, Ints shape) {
  Buffer buffer(Int(64), std::move(shape));
  for (std::size_t i = 0; i < values.size(); ++i) buffer.set_int(static_cast<std::int64_t>(i), values[i]);
  return buffer;
}

std::string cast(Composition& nodes, const std::string& step, const std::string& x, std::int64_t to) {
  return nodes.add(step, "Cast", {x}, attributes_of({{"to", to}}));
}

struct Places {
  std::string tensor;  ///< [rank, count] of i64
  Size count;
};

/// Finds where x, of `shape`, is not 0. A scalar has the index of a dimension of 1.
Places places_of(NodeContext& context, Composition& nodes, const std::string& x, Shape shape) {
  if (shape.empty()) shape = {1};
  const Size total = element_count(shape);
  const std::string flat = nodes.reshape("flat", x, {total});
  const std::string flags = cast(nodes, "flags", cast(nodes, "chosen", flat, kBool), kInt32);
  const std::string up_to = nodes.add("up_to", "CumSum", {flags}, attributes_of({{"axis", std::int64_t{0}}}));
  // Takes the last of the sums, or 0 if there is none.
  const std::string sum = nodes.add("number", "ReduceSum", {flags},
                                    attributes_of({{"axes", Ints{0}}, {"keepdims", std::int64_t{1}}}));
  const Size count = context.add_count(sum, total);
  return {nodes.add("places", "NonZero", {up_to},
                    attributes_of({{"shape", Sizes(shape)}, {"count", Sizes{count}}})),
          count};
}

}  // namespace

std::vector<Node> counted_non_zero(NodeContext& context, const Node& node) {
  Composition nodes(context, node);
  const Shape& shape = data_info(context, node).shape;
  if (is_empty(shape)) {
    nodes.give(0, nodes.constant("none", Buffer(Int(64), {static_cast<std::int64_t>(shape.size()), 0})));
  } else {
    nodes.give(0, places_of(context, nodes, node.inputs[0], shape).tensor);
  }
  return nodes.take();
}

std::vector<Node> counted_compress(NodeContext& context, const Node& node) {
  Composition nodes(context, node);
  std::string x = node.inputs[0], condition = node.input(1);
  if (condition.empty()) refuse(node, "input 1, the condition, is absent");
  Shape shape = data_info(context, node).shape, length = context.info(condition).shape;
  if (length.size() != 1)
    refuse(node, fmt::format("the condition has the shape {}; it must be a list", to_string(length)));
  if (!node.attributes.has("axis")) {
    shape = {element_count(shape)};
    x = nodes.reshape("row", x, shape);
  }
  const std::size_t axis = axis_from_start(node, node.attributes.get<std::int64_t>("axis", 0), shape.size());
  if (is_less(shape[axis], length[0]) == true) {
    refuse(node, fmt::format("the condition has {} elements for dimension {} of {}", to_string(length[0]),
                             axis, to_string(shape)));
  }
  const Places places = places_of(context, nodes, condition, length);
  const std::string indices = nodes.reshape("indices", places.tensor, {places.count});
  nodes.give(0, nodes.add("elements", "Gather", {x, indices},
                          attributes_of({{"axis", static_cast<std::int64_t>(axis)}})));
  return nodes.take();
}

std::vector<Node> counted_unique(NodeContext& context, const Node& node) {
  Composition nodes(context, node);
  const bool has_axis = node.attributes.has("axis");
  Shape shape = data_info(context, node).shape;
  std::string x = node.inputs[0];
  if (!has_axis) {
    shape = {element_count(shape)};
    x = nodes.reshape("row", x, shape);
  }
  const std::size_t axis = axis_from_start(node, node.attributes.get<std::int64_t>("axis", 0), shape.size());
  const Size length = shape[axis];
  if (is_empty(shape)) refuse(node, fmt::format("the input {} has no elements", to_string(shape)));

  std::string slices = x;
  if (axis != 0) {
    Ints perm{static_cast<std::int64_t>(axis)};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (d != axis) perm.push_back(static_cast<std::int64_t>(d));
    }
    slices = nodes.transpose("along", slices, perm);
  }
  Shape behind = shape;
  behind.erase(behind.begin() + static_cast<std::ptrdiff_t>(axis));
  slices = nodes.reshape("slices", slices, {length, element_count(behind)});
  Attributes attributes;
  attributes.set("sorted", node.attributes.get<std::int64_t>("sorted", 1));
  // Below it, comparing all elements with each other is less work than the steps of sorting them.
  constexpr std::int64_t kShort = 512;
  const bool is_long = length.is_known() && length.value() > kShort;
  const bool is_sorted = attributes.get<std::int64_t>("sorted") == 1;
  const bool has_keys = element_count(behind) == Size(1) && !context.info(node.inputs[0]).type.is_bool();
  const std::string rank = is_long && is_sorted && has_keys
                               ? cast(nodes, "wide", ranks_by_keys(nodes, slices, length.value()), kInt64)
                               : nodes.add("rank", "Unique", {slices}, std::move(attributes));

  const Attributes along = attributes_of({{"axes", Ints{0}}, {"keepdims", std::int64_t{1}}});
  const std::string last = nodes.add("last", "ReduceMax", {rank}, along);
  const std::string one = nodes.constant("one", numbers({1}, {1})),
                    none = nodes.constant("zero", numbers({0}, {1}));
  // The maximum over no elements is the lowest number; clamps the count to 0.
  const std::string number = nodes.add("number", "Max", {nodes.add("next", "Add", {last, one}), none});
  const Size count = context.add_count(number, length);

  const auto filled = [&](const std::string& step, const Size& extent, std::int64_t value) {
    return nodes.add(step, "ConstantOfShape", {},
                     attributes_of({{"shape", Sizes{extent}}, {"value", numbers({value}, {1})}}));
  };
  const auto scattered = [&](const std::string& step, const std::string& start, const std::string& updates,
                             const char* reduction) {
    return nodes.add(step, "ScatterElements", {start, rank, updates},
                     attributes_of({{"axis", std::int64_t{0}}, {"reduction", std::string(reduction)}}));
  };
  const std::string places = nodes.add(
      "every", "Range", {},
      attributes_of({{"start", Sizes{0}}, {"delta", Sizes{1}}, {"count", Sizes{length}}, {"dtype", kInt64}}));
  const std::string first = scattered("first", filled("unseen", count, std::int64_t{1} << 31), places, "min");
  nodes.give(0, nodes.add("elements", "Gather", {x, first},
                          attributes_of({{"axis", static_cast<std::int64_t>(axis)}})));
  nodes.give(1, first);
  nodes.give(2, rank);
  if (node.outputs.size() > 3)
    nodes.give(3, scattered("counts", filled("uncounted", count, 0), filled("each", length, 1), "add"));
  return nodes.take();
}

std::vector<Node> non_max_suppression(NodeContext& context, Node node) {
  for (const auto& [name, value] : node.attributes.values()) {
    if (name != "center_point_box")
      refuse(node, fmt::format("attribute {} = {} is not supported; supported attributes: center_point_box",
                               name, to_string(value)));
  }
  if (node.inputs.size() < 2)
    refuse(node, fmt::format("{} inputs are given; it takes 2 to 5", node.inputs.size()));
  const Shape boxes = data_info(context, node).shape, scores = context.info(node.inputs[1]).shape;
  Composition nodes(context, node);
  // Without a limit, no box is chosen.
  Size most = 0;
  if (boxes.size() == 3 && scores.size() == 3 && !node.input(2).empty()) {
    most = boxes[1];
    // A limit above the size of any tensor does not limit.
    constexpr std::int64_t kNone = std::numeric_limits<std::int32_t>::max();
    const bool is_known = context.constant(node.input(2)) != nullptr;
    const std::int64_t limit = is_known ? constant_ints(context, node, 2, "limit").at(0) : kNone;
    if (limit < kNone) most = min(most, std::max<std::int64_t>(limit, 0));
  }
  if (most == Size(0) || is_empty(boxes) || is_empty(scores)) {
    nodes.give(0, nodes.constant("none", Buffer(Int(64), {0, 3})));
    return nodes.take();
  }
  node.attributes.set("most", Sizes{most});
  const std::string chosen = nodes.add("boxes", "NonMaxSuppression", node.inputs, node.attributes);
  const Places places = places_of(context, nodes, chosen, {scores[0], scores[1], most});
  const std::string rows = nodes.transpose("rows", places.tensor, {1, 0});
  const std::string box = cast(nodes, "box", nodes.add("from_one", "GatherND", {chosen, rows}), kInt64);
  const std::string from_zero =
      nodes.add("from_zero", "Sub", {box, nodes.constant("one", numbers({1}, {1}))});
  const std::string classes = nodes.add(
      "classes", "Slice", {rows}, attributes_of({{"starts", Ints{0}}, {"ends", Ints{2}}, {"axes", Ints{1}}}));
  nodes.give(0,
             nodes.concat("selected", {classes, nodes.reshape("column", from_zero, {places.count, 1})}, 1));
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize

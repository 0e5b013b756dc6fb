// TopK of long rows: the k-th largest element is found by the bits of keys, then those from it on.
#include <algorithm>

#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/normalize/sorted_keys.h"
#include "ops/operator_spec.h"

namespace tensordsl::ops::normalize {
namespace {

// ONNX's INT64.
constexpr std::int64_t kPlaceType = 7;

// Rows up to this are ranked as a whole: each element is compared with no more others than there are values
// that a key of 64 bits is compared with, three for each two bits. The 26 launches more are not counted,
// because what one takes is not known here: where it is 2 us, as with PoCL, one row of up to 400 is ready up
// to 30 us later, and many rows are ready sooner.
constexpr std::int64_t kShortRow = 96;
// The length of the pieces in which a row is counted, and of the linear search for a position.
constexpr std::int64_t kPiece = 32;

Type key_type(Type type) { return Int(type.bits == 64 ? 64 : 32); }

/// Returns the number of bits of a key of such elements that can differ.
std::int64_t key_bits(Type type) { return type.is_float() ? (type.bits == 64 ? 64 : 32) : type.bits; }

/// Returns the positions of the `k` largest keys of each row, of elements of `type`: those above the k-th
/// largest, then as many of the equal ones as are needed, both from the first on.
std::string chosen_places(Composition& nodes, const std::string& keys, Type type, const Size& k) {
  std::string threshold;
  const std::int64_t bits = key_bits(type);
  // The numbers that two bits may add, the first of them to the lowest number of so many bits. They are not
  // an attribute, so that all steps but the first share one kernel.
  std::uint64_t start = ~std::uint64_t{0} << (bits - 1);
  for (std::int64_t bit = bits - 2; bit >= 0; bit -= 2) {
    Buffer values(key_type(type), {4});
    for (std::uint64_t digit = 0; digit < 4; ++digit)
      values.set_int(static_cast<std::int64_t>(digit), static_cast<std::int64_t>(start + (digit << bit)));
    std::vector<std::string> inputs{keys, nodes.constant("values", std::move(values))};
    if (!threshold.empty()) inputs.push_back(threshold);
    threshold = nodes.add("threshold", "KeyThreshold", inputs, attributes_of({{"k", Sizes{k}}}));
    start = 0;
  }
  const std::string counts =
      nodes.add("counts", "KeyCounts", {keys, threshold}, attributes_of({{"piece", kPiece}}));
  std::vector<std::string> inputs{keys, threshold};
  for (const std::string& sums : nodes.add_outputs("sums", "KeySums", {counts}, {}, 2))
    inputs.push_back(sums);
  return nodes.add("chosen", "KeyPlaces", inputs, attributes_of({{"k", Sizes{k}}, {"piece", kPiece}}));
}

}  // namespace

std::vector<Node> top_k_by_keys(NodeContext& context, Node node) {
  const TensorInfo& info = data_info(context, node);
  const InferredNode inferred =
      infer(*find_operator("TopK"), {node.attributes, {&info}, node.outputs.size()});
  const auto axis = static_cast<std::size_t>(inferred.attributes.get<std::int64_t>("axis"));
  const Size n = info.shape[axis], k = inferred.attributes.sizes("k").at(0);
  if (!n.is_known() || !k.is_known() || n.value() <= kShortRow || k == Size(0)) return {std::move(node)};

  Composition nodes(context, node);
  const Attributes along = attributes_of({{"axis", std::int64_t{1}}});
  const std::size_t rank = info.shape.size();
  Ints order, back;
  Shape moved;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d != axis) order.push_back(static_cast<std::int64_t>(d));
  }
  order.push_back(static_cast<std::int64_t>(axis));
  for (std::size_t d = 0; d < rank; ++d) {
    moved.push_back(info.shape[static_cast<std::size_t>(order[d])]);
    back.push_back(std::ranges::find(order, static_cast<std::int64_t>(d)) - order.begin());
  }
  const bool is_moved = axis + 1 != rank;
  const Size rows = element_count(Shape(moved.begin(), moved.end() - 1));
  std::string x = is_moved ? nodes.transpose("along", node.inputs[0], order) : node.inputs[0];
  x = nodes.reshape("rows", x, {rows, n});
  const std::string keys =
      nodes.add("keys", "SortKeys", {x},
                attributes_of({{"largest", inferred.attributes.get<std::int64_t>("largest")}}));

  SortedKeys chosen{keys, ""};
  if (k == n) {
    chosen.places = nodes.add("all", "Expand", {places_of_row(nodes, n.value())},
                              attributes_of({{"shape", Sizes{rows, n}}}));
  } else {
    chosen.places = chosen_places(nodes, keys, info.type, k);
    chosen.keys = nodes.add("chosen_keys", "GatherElements", {keys, chosen.places}, along);
  }
  const std::string places = k == Size(1) ? chosen.places : sorted_keys(nodes, chosen, k.value()).places;
  const auto given = [&](std::size_t i, std::string tensor) {
    Shape shape = moved;
    shape.back() = k;
    tensor = nodes.reshape("best", tensor, shape);
    nodes.give(i, is_moved ? nodes.transpose("back", tensor, back) : tensor);
  };
  given(0, nodes.add("values", "GatherElements", {x, places}, along));
  if (node.outputs.size() > 1)
    given(1, nodes.add("wide", "Cast", {places}, attributes_of({{"to", kPlaceType}})));
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize

// Rewrites operators with a data-dependent number of elements whose data are constants. selection.cpp has the
// others.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ops/normalize/normalize_rules.h"

namespace tensordsl::ops::normalize {
namespace {

Buffer to_buffer(const Ints& values, Ints shape) {
  Buffer buffer(Int(64), std::move(shape));
  std::ranges::copy(values, buffer.as<std::int64_t>().begin());
  return buffer;
}

/// Output `i` of `node` is `value`.
void give(NodeContext& context, const Node& node, std::size_t i, Buffer value, std::vector<Node>& nodes) {
  if (i >= node.outputs.size() || node.outputs[i].empty()) return;
  const std::string name = context.fresh_tensor(node.outputs[i] + ".value");
  context.add_constant(name, std::move(value));
  nodes.push_back({node.name, "Identity", {name}, {node.outputs[i]}, {}});
}

/// The slices of a tensor along a dimension, or its elements.
class Slices {
 public:
  explicit Slices(const Buffer& x) : x_(x), count_(x.elements()) {}
  Slices(const Buffer& x, std::size_t axis) : x_(x), count_(x.shape()[axis]) {
    const auto product = [&](std::size_t begin, std::size_t end) {
      return std::accumulate(x.shape().begin() + static_cast<std::ptrdiff_t>(begin),
                             x.shape().begin() + static_cast<std::ptrdiff_t>(end), std::int64_t{1},
                             std::multiplies());
    };
    before_ = product(0, axis);
    behind_ = product(axis + 1, x.shape().size());
  }

  std::int64_t count() const { return count_; }
  /// -1, 0 or 1: how slice `a` compares with slice `b`, the first different element deciding.
  int compare(std::int64_t a, std::int64_t b) const {
    for (std::int64_t i = 0; i < before_ * behind_; ++i) {
      const std::int64_t p = place(a, i), q = place(b, i);
      const bool less = is_less(p, q), greater = is_less(q, p);
      if (less != greater) return less ? -1 : 1;
    }
    return 0;
  }
  /// The slices `chosen`, in a tensor of `shape`.
  Buffer joined(const Ints& chosen, Ints shape) const {
    Buffer result(x_.type(), std::move(shape));
    const std::size_t bytes = static_cast<std::size_t>(x_.type().bytes());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      for (std::int64_t i = 0; i < before_ * behind_; ++i) {
        const auto to =
            (i / behind_ * static_cast<std::int64_t>(chosen.size()) + static_cast<std::int64_t>(k)) *
                behind_ +
            i % behind_;
        std::memcpy(result.bytes().data() + static_cast<std::size_t>(to) * bytes,
                    x_.bytes().data() + static_cast<std::size_t>(place(chosen[k], i)) * bytes, bytes);
      }
    }
    return result;
  }

 private:
  std::int64_t place(std::int64_t slice, std::int64_t i) const {
    return (i / behind_ * count_ + slice) * behind_ + i % behind_;
  }
  /// NaNs are equal to each other, and above all numbers.
  bool is_less(std::int64_t p, std::int64_t q) const {
    if (x_.type().is_float())
      return x_.get(p) < x_.get(q) || (x_.get(p) == x_.get(p) && x_.get(q) != x_.get(q));
    if (x_.type() == UInt(64))
      return static_cast<std::uint64_t>(x_.get_int(p)) < static_cast<std::uint64_t>(x_.get_int(q));
    return x_.get_int(p) < x_.get_int(q);
  }

  const Buffer& x_;
  std::int64_t count_, before_ = 1, behind_ = 1;
};

}  // namespace

std::vector<Node> compress(NodeContext& context, Node node) {
  if (!context.constant(node.input(1))) return counted_compress(context, node);
  const Buffer& condition = constant_operand(context, node, 1, "condition");
  Shape shape = data_info(context, node).shape;
  std::vector<Node> nodes;
  if (!node.attributes.has("axis")) {
    nodes.push_back(step_of(context, node, "flat", "Reshape", {node.input(0)}));
    nodes.back().attributes.set("shape", Ints{-1});
    node.inputs[0] = nodes.back().outputs[0];
    shape = {element_count(shape)};
  }
  const std::size_t axis = axis_from_start(node, node.attributes.get<std::int64_t>("axis", 0), shape.size());
  Ints chosen;
  for (std::int64_t i = 0; i < condition.elements(); ++i) {
    if (condition.get_int(i) != 0) chosen.push_back(i);
  }
  if (!chosen.empty() && is_less(chosen.back(), shape[axis]) == false) {
    refuse(node, fmt::format("the condition chooses element {} of dimension {} of {}", chosen.back(), axis,
                             to_string(shape)));
  }
  const std::string indices = context.fresh_tensor(node.outputs[0] + ".indices");
  const auto count = static_cast<std::int64_t>(chosen.size());
  context.add_constant(indices, to_buffer(chosen, {count}));
  nodes.push_back({node.name, "Gather", {node.input(0), indices}, node.outputs, {}});
  nodes.back().attributes.set("axis", static_cast<std::int64_t>(axis));
  return nodes;
}

std::vector<Node> non_zero(NodeContext& context, Node node) {
  if (node.inputs.size() != 1 || !node.attributes.empty())
    refuse(node, "it has one input, and no attributes");
  if (!context.constant(node.input(0))) return counted_non_zero(context, node);
  const Buffer& x = constant_operand(context, node, 0, "input");
  Ints places;
  for (std::int64_t i = 0; i < x.elements(); ++i) {
    if (x.get(i) != 0) places.push_back(i);
  }
  // A scalar has no index, and ONNX Runtime gives it one of a dimension of 1.
  const Ints shape = x.shape().empty() ? Ints{1} : x.shape();
  Ints rows;
  std::int64_t below = x.elements();
  for (const std::int64_t extent : shape) {
    below /= std::max<std::int64_t>(extent, 1);
    for (const std::int64_t place : places) rows.push_back(place / below % extent);
  }
  std::vector<Node> nodes;
  give(context, node, 0,
       to_buffer(rows, {static_cast<std::int64_t>(shape.size()), static_cast<std::int64_t>(places.size())}),
       nodes);
  return nodes;
}

std::vector<Node> unique(NodeContext& context, Node node) {
  if (!context.constant(node.input(0))) return counted_unique(context, node);
  const Buffer& x = constant_operand(context, node, 0, "input");
  const bool has_axis = node.attributes.has("axis");
  const std::size_t axis =
      has_axis ? axis_from_start(node, node.attributes.get<std::int64_t>("axis"), x.shape().size()) : 0;
  const Slices slices = has_axis ? Slices(x, axis) : Slices(x);
  Ints order(static_cast<std::size_t>(slices.count()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) { return slices.compare(a, b) < 0; });

  // Equal ones stand together, the first in front.
  Ints first, inverse(order.size()), counts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.compare(order[i - 1], order[i]) != 0) {
      first.push_back(order[i]);
      counts.push_back(0);
    }
    inverse[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(first.size()) - 1;
    ++counts.back();
  }
  if (node.attributes.get<std::int64_t>("sorted", 1) == 0) {
    Ints by_occurrence(first.size()), rank(first.size());
    std::iota(by_occurrence.begin(), by_occurrence.end(), 0);
    std::ranges::sort(by_occurrence, {}, [&](std::int64_t i) { return first[static_cast<std::size_t>(i)]; });
    Ints reordered_first, reordered_counts;
    for (std::size_t i = 0; i < by_occurrence.size(); ++i) {
      const auto from = static_cast<std::size_t>(by_occurrence[i]);
      rank[from] = static_cast<std::int64_t>(i);
      reordered_first.push_back(first[from]);
      reordered_counts.push_back(counts[from]);
    }
    for (std::int64_t& place : inverse) place = rank[static_cast<std::size_t>(place)];
    first = std::move(reordered_first);
    counts = std::move(reordered_counts);
  }

  const auto count = static_cast<std::int64_t>(first.size());
  Ints shape = has_axis ? x.shape() : Ints{count};
  if (has_axis) shape[axis] = count;
  std::vector<Node> nodes;
  give(context, node, 0, slices.joined(first, shape), nodes);
  give(context, node, 1, to_buffer(first, {count}), nodes);
  give(context, node, 2, to_buffer(inverse, {slices.count()}), nodes);
  give(context, node, 3, to_buffer(counts, {count}), nodes);
  return nodes;
}

}  // namespace tensordsl::ops::normalize

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/inferred_node.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::normalize {
namespace {

using Numbers = std::vector<double>;

/// Values of `axes`, `fallback` for all other dimensions.
template <typename Values>
Values for_all_axes(const Node& node, const char* what, const Values& of_axes, const Ints& axes,
                    Values fallback) {
  if (of_axes.size() != axes.size()) {
    refuse(node, fmt::format("{} has {} values for {} dimensions", what, of_axes.size(), axes.size()));
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    fallback[axis_from_start(node, axes[i], fallback.size())] = of_axes[i];
  return fallback;
}

bool is_given(const NodeContext& context, const Node& node, std::size_t i) {
  // Before opset 13, an absent input may be a tensor without elements.
  return !node.input(i).empty() && !is_empty(context.info(node.input(i)).shape);
}

/// The roi of all dimensions: the starts, then the ends.
Numbers whole_roi(const Node& node, const Numbers& roi, const Ints& axes, std::size_t rank) {
  if (roi.size() != 2 * axes.size())
    refuse(node, fmt::format("roi has {} values for {} dimensions", roi.size(), axes.size()));
  Numbers all(2 * rank, 0);
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(rank), all.end(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axis_from_start(node, axes[i], rank);
    all[axis] = roi[i];
    all[axis + rank] = roi[i + axes.size()];
  }
  return all;
}

/// Uses one scale for all `axes`: the output's extents are the input's times this scale.
void keep_aspect_ratio(Node& node, const Shape& x, const Ints& axes, Sizes sizes, const std::string& policy) {
  if (policy != "not_larger" && policy != "not_smaller") {
    refuse(node,
           fmt::format("attribute keep_aspect_ratio_policy = \"{}\" is not supported; supported: stretch, "
                       "not_larger, not_smaller",
                       policy));
  }
  if (axes.empty()) return;
  Numbers ratios, scales(x.size(), 1);
  for (const std::int64_t axis : axes) {
    const std::size_t d = axis_from_start(node, axis, x.size());
    if (!x[d].is_known() || !sizes[d].is_known() || x[d] == Size(0))
      refuse(node,
             fmt::format("attribute keep_aspect_ratio_policy = \"{}\" needs known extents; from {} to {}",
                         policy, to_string(x), to_string(sizes)));
    ratios.push_back(static_cast<double>(sizes[d].value()) / static_cast<double>(x[d].value()));
  }
  const double scale =
      policy == "not_larger" ? *std::ranges::min_element(ratios) : *std::ranges::max_element(ratios);
  for (const std::int64_t axis : axes) {
    const std::size_t d = axis_from_start(node, axis, x.size());
    const double extent = std::floor(scale * static_cast<double>(x[d].value()) + 0.5);
    if (!(extent >= 0 && extent < 0x1p31))
      refuse(node, fmt::format("the scale {} makes {} of the extent {}", scale, extent, to_string(x[d])));
    sizes[d] = static_cast<std::int64_t>(extent);
    scales[d] = scale;
  }
  node.attributes.set("sizes", std::move(sizes));
  node.attributes.set("scales", std::move(scales));
}

/// Resize before opset 11: floor takes the nearest element where it enlarges, and ceil where it shrinks.
std::vector<Node> asymmetric(NodeContext& context, Node node, Numbers scales) {
  node.inputs.resize(1);
  node.attributes.set("coordinate_transformation_mode", std::string("asymmetric"));
  node.attributes.set("nearest_mode", std::string("floor"));
  const auto shrinks = [](double scale) { return scale < 1; };
  const bool is_nearest = node.attributes.get<std::string>("mode", "nearest") == "nearest";
  if (!is_nearest || std::ranges::none_of(scales, shrinks)) {
    node.attributes.set("scales", std::move(scales));
    return {std::move(node)};
  }
  Numbers larger, smaller;
  for (const double scale : scales) {
    larger.push_back(std::max(scale, 1.0));
    smaller.push_back(std::min(scale, 1.0));
  }
  std::vector<Node> nodes;
  if (std::ranges::any_of(scales, [](double scale) { return scale > 1; })) {
    nodes.push_back(step_of(context, node, "larger", "Resize", node.inputs));
    nodes.back().attributes = node.attributes;
    nodes.back().attributes.set("scales", std::move(larger));
    node.inputs = nodes.back().outputs;
  }
  node.attributes.set("nearest_mode", std::string("ceil"));
  node.attributes.set("scales", std::move(smaller));
  nodes.push_back(std::move(node));
  return nodes;
}

}  // namespace

std::vector<Node> resize(NodeContext& context, Node node) {
  const Shape x = data_info(context, node).shape;
  if (context.opset() < 11) return asymmetric(context, node, constant_numbers(context, node, 1, "scales"));
  Ints axes(x.size());
  for (std::size_t d = 0; d < axes.size(); ++d) axes[d] = static_cast<std::int64_t>(d);
  axes = node.attributes.get<Ints>("axes", axes);
  const std::string policy = node.attributes.get<std::string>("keep_aspect_ratio_policy", "stretch");
  Attributes& attributes = node.attributes;
  if (is_given(context, node, 2) && is_given(context, node, 3))
    refuse(node, "scales and sizes are given; supported: one of them");
  if (is_given(context, node, 3)) {
    const Sizes sizes =
        for_all_axes(node, "sizes", size_operand(context, node, 3, "sizes"), axes, Sizes(x.begin(), x.end()));
    if (policy == "stretch") {
      attributes.set("sizes", sizes);
    } else {
      keep_aspect_ratio(node, x, axes, sizes, policy);
    }
  } else if (is_given(context, node, 2)) {
    attributes.set("scales", for_all_axes(node, "scales", constant_numbers(context, node, 2, "scales"), axes,
                                          Numbers(x.size(), 1)));
  }
  if (attributes.get<std::string>("coordinate_transformation_mode", "") == "tf_crop_and_resize" &&
      is_given(context, node, 1)) {
    attributes.set("roi", whole_roi(node, constant_numbers(context, node, 1, "roi"), axes, x.size()));
  }
  const bool is_antialiased = read_flag(attributes, "antialias") != 0;
  for (const char* name : {"antialias", "axes", "keep_aspect_ratio_policy"}) attributes.erase(name);
  node.inputs.resize(1);
  if (is_antialiased) return antialiased_resize(context, std::move(node));
  return {std::move(node)};
}

std::vector<Node> upsample(NodeContext& context, Node node) {
  node.op = "Resize";
  const Numbers scales = node.attributes.has("scales") ? node.attributes.get<Numbers>("scales")
                                                       : constant_numbers(context, node, 1, "scales");
  return asymmetric(context, std::move(node), scales);
}

}  // namespace tensordsl::ops::normalize

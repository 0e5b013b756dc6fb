#include <algorithm>

#include "ops/element_types.h"
#include "ops/normalize/composition.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/operator_spec.h"
#include "ops/resize_scale.h"

namespace tensordsl::ops::normalize {
namespace {

using Numbers = std::vector<double>;

/// A Resize whose attributes have every default written out, without antialiasing.
class ResizedTensor {
 public:
  ResizedTensor(const TensorInfo& x, const InferredNode& resize)
      : x_(x.shape), y_(resize.shape()), attributes_(resize.attributes) {}

  Scale scale(std::size_t d) const {
    if (!attributes_.has("scales")) return scale_between(x_[d], y_[d], std::nullopt);
    return scale_between(x_[d], y_[d], attributes_.get<Numbers>("scales")[d]);
  }
  /// True unless the elements along `d` are known to be as close as before, or closer.
  bool shrinks(std::size_t d) const { return is_less(scale(d).up, scale(d).down) != false; }
  /// True if only resize_along() changes the tensor.
  bool only_shrinks() const {
    const auto stays = [&](std::size_t d) {
      if (x_[d] != y_[d] || scale(d).up != scale(d).down) return false;
      return !attributes_.has("roi") || (roi(d) == 0 && roi(d + x_.size()) == 1);
    };
    for (std::size_t d = 0; d < x_.size(); ++d) {
      if (!shrinks(d) && !stays(d)) return false;
    }
    return true;
  }

  /// Adds the sums along `d`, and the weights for them, in elements of `type`.
  std::string resize_along(Composition& nodes, const std::string& tensor, std::size_t d, Type type) const {
    Attributes along = attributes_of({{"axis", static_cast<std::int64_t>(d)}});
    for (const char* name : {"coordinate_transformation_mode", "roi", "scales"}) copy(name, along);
    Attributes weights = along;
    for (const char* name : {"cubic_coeff_a", "exclude_outside", "mode"}) copy(name, weights);
    copy("extrapolation_value", along);
    const std::int64_t radius = attributes_.get<std::string>("mode") == "linear" ? 1 : 2;
    weights.set("extent", Sizes{x_[d]});
    weights.set("sizes", Sizes{y_[d]});
    weights.set("taps", Sizes{antialiasing_taps(scale(d), radius)});
    weights.set("type", element_type_number(type));
    const std::string step = "along" + std::to_string(d);
    return nodes.add(step, "ResizeAlong",
                     {tensor, nodes.add(step + "_weights", "ResizeWeights", {}, weights)}, along);
  }

  /// The Resize of the dimensions that do not shrink.
  Attributes enlarging() const {
    Attributes attributes = attributes_;
    for (std::size_t d = 0; d < x_.size(); ++d) {
      if (!shrinks(d)) continue;
      replace(attributes, "scales", d, 1);
      replace(attributes, "roi", d, 0);
      replace(attributes, "roi", d + x_.size(), 1);
    }
    return attributes;
  }

 private:
  double roi(std::size_t i) const { return attributes_.get<Numbers>("roi")[i]; }
  void copy(const char* name, Attributes& to) const {
    if (const auto found = attributes_.values().find(name); found != attributes_.values().end())
      to.set(name, found->second);
  }
  static void replace(Attributes& attributes, const char* name, std::size_t i, double value) {
    if (!attributes.has(name)) return;
    Numbers numbers = attributes.get<Numbers>(name);
    numbers[i] = value;
    attributes.set(name, std::move(numbers));
  }

  Shape x_, y_;
  Attributes attributes_;
};

/// The type in which elements of `type` are summed.
Type type_of_sums(Type type) {
  return type == Float(64) || (type.is_integer() && type.bits == 64) ? Float(64) : Float(32);
}

}  // namespace

std::vector<Node> antialiased_resize(NodeContext& context, Node node) {
  const TensorInfo& x = data_info(context, node);
  const InferredNode plain = infer(*find_operator("Resize"), {node.attributes, {&x}});
  const ResizedTensor resized(x, plain);
  std::vector<std::size_t> shrinking;
  for (std::size_t d = 0; d < x.shape.size(); ++d) {
    if (resized.shrinks(d)) shrinking.push_back(d);
  }
  if (plain.attributes.get<std::string>("mode") == "nearest")
    refuse(node,
           "attribute antialias = 1 is not supported with mode = \"nearest\"; supported: linear, cubic");
  if ((shrinking.empty() && x.type.is_float()) || is_empty(plain.shape())) return {std::move(node)};

  Composition nodes(context, node);
  const Type type = type_of_sums(x.type);
  const auto converted = [&](const std::string& step, const std::string& tensor, Type to) {
    return x.type == type
               ? tensor
               : nodes.add(step, "Cast", {tensor}, attributes_of({{"to", element_type_number(to)}}));
  };
  std::string tensor = converted("numbers", node.inputs[0], type);
  for (const std::size_t d : shrinking) tensor = resized.resize_along(nodes, tensor, d, type);
  if (!resized.only_shrinks()) tensor = nodes.add("larger", "Resize", {tensor}, resized.enlarging());
  if (x.type.is_integer()) tensor = nodes.add("rounded", "Round", {tensor});
  nodes.give(0, converted("elements", tensor, x.type));
  return nodes.take();
}

}  // namespace tensordsl::ops::normalize

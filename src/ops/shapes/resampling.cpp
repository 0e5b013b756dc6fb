#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "ops/resize_scale.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

using Numbers = std::vector<double>;

/// The string `name`, which must be one of `supported`.
std::string choice(const OperatorCall& call, const char* name, const std::string& fallback,
                   const std::vector<std::string_view>& supported) {
  const std::string value = call.attributes.get<std::string>(name, fallback);
  if (std::ranges::find(supported, value) == supported.end()) {
    throw ModelError(fmt::format("attribute {} = \"{}\" is not supported; supported: {}", name, value,
                                 fmt::join(supported, ", ")));
  }
  return value;
}

void require_length(const char* name, const std::string& found, std::size_t length, std::size_t wanted,
                    const Shape& x) {
  if (length != wanted) {
    throw ShapeError(fmt::format("{} = {} has {} values; an input {} needs {}", name, found, length,
                                 to_string(x), wanted));
  }
}

}  // namespace

InferredNode resize(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  const Attributes& given = call.attributes;
  InferredNode result{x.type, x.shape, {}};
  Attributes& attributes = result.attributes;
  attributes.set("mode", choice(call, "mode", "nearest", {"nearest", "linear", "cubic"}));
  attributes.set("coordinate_transformation_mode",
                 choice(call, "coordinate_transformation_mode", "half_pixel",
                        {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                         "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"}));
  attributes.set("nearest_mode", choice(call, "nearest_mode", "round_prefer_floor",
                                        {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}));
  attributes.set("cubic_coeff_a", given.get<double>("cubic_coeff_a", -0.75));
  attributes.set("exclude_outside", given.get<std::int64_t>("exclude_outside", 0));
  attributes.set("extrapolation_value", given.get<double>("extrapolation_value", 0.0));

  Shape& shape = result.outputs[0].shape;
  if (given.has("scales")) {
    const Numbers& scales = given.get<Numbers>("scales");
    require_length("scales", to_string(Attributes::Value(scales)), scales.size(), shape.size(), x.shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (!(scales[d] > 1e-6 && scales[d] < 1e6))
        throw ModelError(
            fmt::format("scales = {} is not supported; supported: values from 0.000001 to 1000000",
                        to_string(Attributes::Value(scales))));
      shape[d] = scaled_extent(x.shape[d], scales[d]);
    }
    attributes.set("scales", scales);
  } else if (!given.has("sizes")) {
    throw ModelError("neither scales nor sizes are given; give one of them");
  }
  if (given.has("sizes")) {
    const Sizes sizes = given.sizes("sizes");
    require_length("sizes", to_string(sizes), sizes.size(), shape.size(), x.shape);
    shape = Shape(sizes);
  }
  attributes.set("sizes", Sizes(shape));
  if (is_empty(x.shape) && !is_empty(shape))
    throw ShapeError(
        fmt::format("{} has no elements; it cannot be resized to {}", to_string(x), to_string(shape)));

  if (attributes.get<std::string>("coordinate_transformation_mode") == "tf_crop_and_resize") {
    if (!given.has("roi")) throw ModelError("tf_crop_and_resize needs roi");
    const Numbers& roi = given.get<Numbers>("roi");
    require_length("roi", to_string(Attributes::Value(roi)), roi.size(), 2 * shape.size(), x.shape);
    attributes.set("roi", roi);
  }
  if (attributes.get<std::string>("mode") != "nearest" && x.type.is_bool())
    throw ModelError(fmt::format("input 0 is {}; supported: with mode = \"nearest\"", to_string(x)));
  return result;
}

}  // namespace tensordsl::ops::shapes

#include <fmt/format.h>

#include "ops/assumed_sizes.h"
#include "ops/shapes/read_window.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

/// Checks that input `i` has the shape `wanted`. Throws ShapeError otherwise.
void require_shape(const OperatorCall& call, std::size_t i, const char* what, const Shape& wanted) {
  if (call.input(i).shape != wanted) {
    refuse_unequal(fmt::format("{} {}; they must be {}", what, to_string(call.input(i)), to_string(wanted)),
                   wanted, call.input(i).shape);
  }
}

/// Checks that the input has elements to sample. Throws ShapeError otherwise.
void require_sampled_elements(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  if (is_empty(Shape(x.begin() + 2, x.end())))
    throw ShapeError(
        fmt::format("the input is {}, which has no elements to sample", to_string(call.input(0))));
}

void require_plane(const OperatorCall& call) {
  require_float(call, 0);
  if (call.input(0).shape.size() != 4) {
    throw ShapeError(
        fmt::format("the input is {}; it must have the dimensions [N,C,H,W]", to_string(call.input(0))));
  }
  require_sampled_elements(call);
}

/// A float attribute that must be positive.
double read_scale(const Attributes& attributes) {
  const double scale = attributes.get<double>("spatial_scale", 1.0);
  if (!(scale > 0)) {
    throw ModelError(
        fmt::format("attribute spatial_scale = {} is not supported; supported: more than 0", scale));
  }
  return scale;
}

std::int64_t read_extent(const Attributes& attributes, const char* name) {
  const std::int64_t value = attributes.get<std::int64_t>(name, 1);
  if (value < 1 || value > kMaxWindowValue) {
    throw ModelError(fmt::format("attribute {} = {} is not supported; supported: values from 1 to {}", name,
                                 value, kMaxWindowValue));
  }
  return value;
}

}  // namespace

InferredNode affine_grid(const OperatorCall& call) {
  require_float(call, 0);
  const Shape& theta = call.input(0).shape;
  const Shape size(call.attributes.sizes("size"));
  const std::size_t rank = size.size() < 2 ? 0 : size.size() - 2;
  const std::string text =
      fmt::format("theta is {} and size = {}; they must be [N,2,3] and [N,C,H,W], or [N,3,4] and [N,C,D,H,W]",
                  to_string(call.input(0)), to_string(size));
  if (rank != 2 && rank != 3) throw ShapeError(text);
  const Shape wanted{size[0], rank, rank + 1};
  if (theta != wanted) refuse_unequal(text, theta, wanted);
  Shape shape(size.begin() + 2, size.end());
  shape.insert(shape.begin(), size[0]);
  shape.push_back(rank);
  InferredNode result{call.input(0).type, std::move(shape), {}};
  result.attributes.set("align_corners", read_flag(call.attributes, "align_corners"));
  result.attributes.set("size", Sizes(size));
  return result;
}

InferredNode grid_sample(const OperatorCall& call) {
  require_spatial(call);
  require_float(call, 1);
  require_sampled_elements(call);
  const Shape &x = call.input(0).shape, &grid = call.input(1).shape;
  const std::string mode =
      read_choice(call.attributes, "mode", {"linear", "bilinear", "nearest", "cubic", "bicubic"});
  if (mode != "nearest") require_float(call, 0);
  const std::string text =
      fmt::format("the grid is {}; an input {} needs a grid [{},..,{}] of {} dimensions",
                  to_string(call.input(1)), to_string(x), to_string(x[0]), x.size() - 2, x.size());
  if (grid.size() != x.size()) throw ShapeError(text);
  Shape wanted = grid;
  wanted.front() = x[0];
  wanted.back() = x.size() - 2;
  if (grid != wanted) refuse_unequal(text, wanted, grid);
  Shape shape{x[0], x[1]};
  shape.insert(shape.end(), grid.begin() + 1, grid.end() - 1);
  InferredNode result{call.input(0).type, std::move(shape), {}};
  result.attributes.set("align_corners", read_flag(call.attributes, "align_corners"));
  // The names before opset 20.
  result.attributes.set("mode", mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode);
  result.attributes.set("padding_mode",
                        read_choice(call.attributes, "padding_mode", {"zeros", "border", "reflection"}));
  return result;
}

InferredNode max_roi_pool(const OperatorCall& call) {
  require_plane(call);
  require_same_types(call);
  const Shape &x = call.input(0).shape, &rois = call.input(1).shape;
  require_shape(call, 1, "the regions are", {rois.empty() ? Size(0) : rois[0], 5});
  if (!call.attributes.has("pooled_shape")) throw ModelError("attribute pooled_shape is missing");
  const Ints pooled = read_list(call.attributes, "pooled_shape", 2, 1, 1);
  InferredNode result{call.input(0).type, {rois[0], x[1], pooled[0], pooled[1]}, {}};
  result.attributes.set("pooled_shape", pooled);
  result.attributes.set("spatial_scale", read_scale(call.attributes));
  return result;
}

InferredNode roi_align(const OperatorCall& call) {
  require_plane(call);
  const Shape &x = call.input(0).shape, &rois = call.input(1).shape;
  const Size regions = rois.empty() ? Size(0) : rois[0];
  if (call.input(1).type != call.input(0).type) {
    throw ModelError(fmt::format("inputs 0 and 1 are {} and {}; their types must be the same",
                                 to_string(call.input(0)), to_string(call.input(1))));
  }
  require_shape(call, 1, "the regions are", {regions, 4});
  require_shape(call, 2, "the batch indices are", {regions});
  if (call.input(2).type != Int(64))
    throw ModelError(fmt::format("input 2 is {}; supported: i64", to_string(call.input(2))));
  const Attributes& attributes = call.attributes;
  const std::int64_t height = read_extent(attributes, "output_height");
  const std::int64_t width = read_extent(attributes, "output_width");
  const std::int64_t ratio = attributes.get<std::int64_t>("sampling_ratio", 0);
  if (ratio < 0 || ratio > 65536) {
    throw ModelError(fmt::format(
        "attribute sampling_ratio = {} is not supported; supported: values from 0 to 65536", ratio));
  }
  InferredNode result{call.input(0).type, {regions, x[1], height, width}, {}};
  result.attributes.set(
      "coordinate_transformation_mode",
      read_choice(attributes, "coordinate_transformation_mode", {"half_pixel", "output_half_pixel"}));
  result.attributes.set("mode", read_choice(attributes, "mode", {"avg", "max"}));
  result.attributes.set("output_height", height);
  result.attributes.set("output_width", width);
  result.attributes.set("sampling_ratio", ratio);
  result.attributes.set("spatial_scale", read_scale(attributes));
  return result;
}

}  // namespace tensordsl::ops::shapes

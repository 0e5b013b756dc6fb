#include "ops/element_types.h"
#include "ops/shapes/shape_rules.h"

namespace tensordsl::ops::shapes {
namespace {

/// Returns positions, and weights in the type that coordinates of `type` are computed in.
InferredNode places(const OperatorCall& call, Type type, Shape shape) {
  InferredNode result{Int(32), shape, call.attributes};
  result.outputs.push_back({type == Float(64) ? Float(64) : Float(32), std::move(shape)});
  return result;
}

std::int64_t corners(std::size_t rank) { return std::int64_t{1} << rank; }

}  // namespace

InferredNode cast_to_narrow(const OperatorCall& call) {
  return {element_type("to", call.attributes.get<std::int64_t>("to")), call.input(0).shape, call.attributes};
}

InferredNode frames(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  const Size length = call.attributes.sizes("frame_length").at(0),
             step = call.attributes.sizes("frame_step").at(0);
  return {x.type, Shape{x.shape[0], quotient(x.shape[1] - length, step) + 1, length, x.shape[2]},
          call.attributes};
}

InferredNode resize_weights(const OperatorCall& call) {
  const Attributes& attributes = call.attributes;
  const Type type = element_type("type", attributes.get<std::int64_t>("type"));
  return {type, Shape{attributes.sizes("sizes").at(0), attributes.sizes("taps").at(0)}, attributes};
}

InferredNode resize_along(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  shape[static_cast<std::size_t>(call.attributes.get<std::int64_t>("axis"))] = call.input(1).shape[0];
  return {call.input(0).type, std::move(shape), call.attributes};
}

InferredNode sort_keys(const OperatorCall& call) {
  return {Int(call.input(0).type.bits == 64 ? 64 : 32), call.input(0).shape, call.attributes};
}

InferredNode key_threshold(const OperatorCall& call) {
  return {call.input(0).type, Shape{call.input(0).shape[0]}, call.attributes};
}

InferredNode key_counts(const OperatorCall& call) {
  const Shape& keys = call.input(0).shape;
  const std::int64_t piece = call.attributes.get<std::int64_t>("piece");
  return {Int(32), Shape{keys[0], quotient(keys[1] + piece - 1, piece)}, call.attributes};
}

InferredNode key_sums(const OperatorCall& call) {
  InferredNode result{Int(32), call.input(0).shape, call.attributes};
  result.outputs.push_back(result.outputs[0]);
  return result;
}

InferredNode key_places(const OperatorCall& call) {
  return {Int(32), Shape{call.input(0).shape[0], call.attributes.sizes("k").at(0)}, call.attributes};
}

InferredNode of_keys(const OperatorCall& call) { return {Int(32), call.input(0).shape, call.attributes}; }

InferredNode row_extremes(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  Shape shape(x.begin(), x.begin() + call.attributes.get<std::int64_t>("axis"));
  shape.push_back(2);
  return {call.input(0).type, std::move(shape), call.attributes};
}

InferredNode quantization_parameters(const OperatorCall& call) {
  return {call.input(0).type, Shape{2}, call.attributes};
}

InferredNode sample_places(const OperatorCall& call) {
  const TensorInfo& grid = call.input(0);
  Shape shape{grid.shape[0], 1, corners(grid.shape.size() - 2)};
  shape.insert(shape.end(), grid.shape.begin() + 1, grid.shape.end() - 1);
  return places(call, grid.type, std::move(shape));
}

InferredNode window_places(const OperatorCall& call) {
  const TensorInfo& offset = call.input(0);
  const std::size_t rank = offset.shape.size() - 2;
  Shape shape{offset.shape[0], quotient(offset.shape[1], rank), corners(rank)};
  shape.insert(shape.end(), offset.shape.begin() + 2, offset.shape.end());
  return places(call, offset.type, std::move(shape));
}

InferredNode samples(const OperatorCall& call) {
  const Shape &x = call.input(0).shape, &at = call.input(1).shape;
  const Size taps = quotient(at[1], call.attributes.get<std::int64_t>("groups"));
  return {call.input(0).type, Shape{x[0], x[1], taps, at[3]}, call.attributes};
}

}  // namespace tensordsl::ops::shapes

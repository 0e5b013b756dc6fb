#include <fmt/format.h>

#include "ops/element_types.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

Shape shape_attribute(const OperatorCall& call) {
  Shape shape(call.attributes.sizes("shape"));
  for (const Size& extent : shape) {
    if (is_less(extent, 0) == true)
      throw ShapeError(fmt::format("the shape {} has a negative extent", to_string(shape)));
  }
  return shape;
}

}  // namespace

InferredNode shape(const OperatorCall& call) {
  return {Int(64), Shape{call.attributes.sizes("sizes").size()}, call.attributes};
}

InferredNode size(const OperatorCall& call) { return {Int(64), {}, call.attributes}; }

InferredNode constant_of_shape(const OperatorCall& call) {
  const Buffer& value = call.attributes.get<Buffer>("value");
  if (value.elements() != 1)
    throw ModelError(
        fmt::format("attribute value = {} must be one number", to_string(Attributes::Value(value))));
  return {value.type(), shape_attribute(call), call.attributes};
}

InferredNode range(const OperatorCall& call) {
  return {element_type("dtype", call.attributes.get<std::int64_t>("dtype")),
          Shape{call.attributes.sizes("count").at(0)}, call.attributes};
}

InferredNode eye_like(const OperatorCall& call) {
  const Shape shape = shape_attribute(call);
  if (shape.size() != 2)
    throw ShapeError(fmt::format("the input has the shape {}; it must be a matrix", to_string(shape)));
  InferredNode result{element_type("dtype", call.attributes.get<std::int64_t>("dtype")), shape,
                      call.attributes};
  result.attributes.set("k", call.attributes.get<std::int64_t>("k", 0));
  return result;
}

}  // namespace tensordsl::ops::shapes

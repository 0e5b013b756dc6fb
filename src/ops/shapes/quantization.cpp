#include "ops/shapes/quantization.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/element_types.h"
#include "ops/narrow_types.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

bool is_one_number(const Shape& shape) { return element_count(shape) == Size(1); }

/// True if `shape` is the shape of x, with ceil(extent / block) along the axis.
bool has_blocks(const Shape& shape, const Shape& x, std::size_t axis, std::int64_t block) {
  Shape blocks = x;
  blocks[axis] = quotient(x[axis] + block - 1, block);
  return shape == blocks;
}

/// Writes axis and block_size into the node, if the scale is not one number.
void read_parameters(const OperatorCall& call, InferredNode& node) {
  const Shape &x = call.input(0).shape, &scale = call.input(1).shape;
  require_float(call, 1);
  if (call.has_input(2) && call.input(2).shape != scale &&
      !(is_one_number(call.input(2).shape) && is_one_number(scale))) {
    throw ShapeError(fmt::format("the scale is {} and the zero point {}; their shapes must be the same",
                                 to_string(call.input(1)), to_string(call.input(2))));
  }
  const std::int64_t block = call.attributes.get<std::int64_t>("block_size", 0);
  if (block < 0) throw ModelError(fmt::format("attribute block_size = {} is negative", block));
  if (block == 0 && scale.size() <= 1 && is_one_number(scale)) return;
  const std::int64_t axis = normal_axis(call.attributes.get<std::int64_t>("axis", 1), x.size());
  const auto at = static_cast<std::size_t>(axis);
  const bool fits = block > 0 ? has_blocks(scale, x, at, block) : scale == Shape{x[at]};
  if (!fits) {
    throw ShapeError(fmt::format("the scale is {}; an input {} with axis = {} and block_size = {} needs {}",
                                 to_string(call.input(1)), to_string(call.input(0)), axis, block,
                                 block > 0 ? "one for each block" : to_string(Shape{x[at]})));
  }
  node.attributes.set("axis", axis);
  node.attributes.set("block_size", block);
}

/// The type that attribute output_dtype says; `otherwise` if it says none.
Type output_type(const OperatorCall& call, Type otherwise) {
  const std::int64_t number = call.attributes.get<std::int64_t>("output_dtype", 0);
  return number == 0 ? otherwise : element_type("output_dtype", number);
}

}  // namespace

void require_quantized(const OperatorCall& call, std::size_t i, std::size_t zero) {
  const Type type = call.input(i).type;
  if (type != Int(8) && type != UInt(8))
    throw ModelError(fmt::format("input {} is {}; supported: i8, u8", i, to_string(call.input(i))));
  if (call.has_input(zero) && call.input(zero).type != type) {
    throw ModelError(fmt::format("inputs {} and {} are {} and {}; their types must be the same", i, zero,
                                 to_string(call.input(i)), to_string(call.input(zero))));
  }
}

void require_parameter(const OperatorCall& call, std::size_t i) {
  if (!call.has_input(i) || is_one_number(call.input(i).shape)) return;
  throw ShapeError(fmt::format("input {} is {}; it must be one number", i, to_string(call.input(i))));
}

void require_channel_parameter(const OperatorCall& call, std::size_t i, const Shape& weights) {
  if (!call.has_input(i)) return;
  const Shape& shape = call.input(i).shape;
  Shape with_ones(weights.size(), Size(1));
  if (!weights.empty()) with_ones[0] = weights[0];
  if (is_one_number(shape) || shape == with_ones || (!weights.empty() && shape == Shape{weights[0]})) return;
  throw ShapeError(
      fmt::format("input {} is {}; it must be one number, or have one for each of dimension 0 of {}", i,
                  to_string(call.input(i)), to_string(weights)));
}

void require_parameter(const OperatorCall& call, std::size_t i, const Shape& x, std::size_t axis) {
  if (!call.has_input(i)) return;
  const Shape& shape = call.input(i).shape;
  if (is_one_number(shape) || (axis < x.size() && shape == Shape{x[axis]})) return;
  bool fits = shape.size() == x.size();
  for (std::size_t d = 0; fits && d < x.size(); ++d) {
    const bool may_differ = d == axis || d + 2 < x.size();
    fits = shape[d] == Size(1) || (may_differ && shape[d] == x[d]);
  }
  if (fits) return;
  throw ShapeError(
      fmt::format("input {} is {}; it must be one number, or have one for each of dimension {} "
                  "of {}",
                  i, to_string(call.input(i)), axis, to_string(x)));
}

InferredNode dequantize_linear(const OperatorCall& call) {
  constexpr std::array kTypes{Int(8), UInt(8), Int(16), UInt(16), Int(32)};
  const Type type = call.input(0).type;
  const std::int64_t narrow = call.attributes.get<std::int64_t>("x_dtype", 0);
  if (narrow == 0 && std::ranges::find(kTypes, type) == kTypes.end()) {
    throw ModelError(
        fmt::format("input 0 is {}; supported: i8, u8, i16, u16, i32", to_string(call.input(0))));
  }
  if (call.has_input(2) && call.input(2).type != type) {
    throw ModelError(fmt::format("inputs 0 and 2 are {} and {}; their types must be the same",
                                 to_string(call.input(0)), to_string(call.input(2))));
  }
  InferredNode result{output_type(call, call.input(1).type), call.input(0).shape, {}};
  read_parameters(call, result);
  result.attributes.set("output_dtype", element_type_number(result.type()));
  if (narrow != 0) result.attributes.set("x_dtype", narrow);
  if (!result.type().is_float()) {
    throw ModelError(
        fmt::format("the output would be {}; supported: f64, f32, f16", to_string(result.type())));
  }
  return result;
}

InferredNode quantize_linear(const OperatorCall& call) {
  constexpr std::array kTypes{Int(8), UInt(8), Int(16), UInt(16)};
  if (call.input(0).type != Int(32)) require_float(call, 0);
  const Type type = output_type(call, call.has_input(2) ? call.input(2).type : UInt(8));
  const NarrowType* narrow = find_narrow_type(call.attributes.get<std::int64_t>("output_dtype", 0));
  const bool is_narrow = narrow && narrow->bits <= 8 && narrow->end != FloatEnd::Exponent;
  if (!is_narrow && std::ranges::find(kTypes, type) == kTypes.end()) {
    throw ModelError(fmt::format(
        "the output would be {}; supported: i8, u8, i16, u16, and integers and floats of 8 bits or less",
        narrow ? std::string(narrow->name) : to_string(type)));
  }
  if (call.has_input(2) && call.input(2).type != type) {
    throw ModelError(fmt::format("the zero point is {} and the output {}; their types must be the same",
                                 to_string(call.input(2)), to_string(type)));
  }
  const auto precision = call.attributes.get<std::int64_t>("precision", 0);
  if (precision != 0 && precision != element_type_number(Float(32)) &&
      precision != element_type_number(Float(16)) && precision != element_type_number(Float(64))) {
    throw ModelError(fmt::format(
        "attribute precision = {} is not supported; supported: 0, 1 (FLOAT), 10 (FLOAT16), 11 (DOUBLE)",
        precision));
  }
  InferredNode result{type, call.input(0).shape, {}};
  result.attributes.set("output_dtype", is_narrow ? narrow->number : element_type_number(type));
  if (precision != 0) result.attributes.set("precision", precision);
  if (is_narrow) result.attributes.set("saturate", call.attributes.get<std::int64_t>("saturate", 1));
  read_parameters(call, result);
  return result;
}

}  // namespace tensordsl::ops::shapes

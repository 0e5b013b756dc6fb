#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ops/assumed_sizes.h"
#include "ops/einsum_equation.h"
#include "ops/shapes/quantization.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

void require_inner(const TensorInfo& a, const Size& of_a, const TensorInfo& b, const Size& of_b) {
  if (of_a != of_b) {
    refuse_unequal(fmt::format("the inner extents of {} and {} differ: {} against {}", to_string(a.shape),
                               to_string(b.shape), to_string(of_a), to_string(of_b)),
                   of_a, of_b);
  }
}

/// Returns the shape of NumPy's matmul of the inputs `first` and `second`.
Shape product_shape(const OperatorCall& call, std::size_t first, std::size_t second) {
  Shape a = call.input(first).shape, b = call.input(second).shape;
  if (a.empty() || b.empty())
    throw ShapeError("an input is a scalar; both must be vectors, matrices or batches of matrices");
  const bool a_is_vector = a.size() == 1, b_is_vector = b.size() == 1;
  if (a_is_vector) a.insert(a.begin(), 1);
  if (b_is_vector) b.push_back(1);
  require_inner(call.input(first), a.back(), call.input(second), b[b.size() - 2]);
  Shape shape = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
  if (!a_is_vector) shape.push_back(a[a.size() - 2]);
  if (!b_is_vector) shape.push_back(b.back());
  return shape;
}

/// A scale or zero point of the rows of input `of`, or the columns.
void require_row_parameter(const OperatorCall& call, std::size_t i, std::size_t of) {
  const Shape& x = call.input(of).shape;
  require_parameter(call, i, x, x.size() - std::min<std::size_t>(x.size(), 2));
}

void require_column_parameter(const OperatorCall& call, std::size_t i, std::size_t of) {
  const Shape& x = call.input(of).shape;
  require_parameter(call, i, x, x.empty() ? 0 : x.size() - 1);
}

void require_square(const OperatorCall& call) {
  require_float(call, 0);
  const Shape& x = call.input(0).shape;
  const std::string text =
      fmt::format("the input is {}; it must be a square matrix or a batch of such", to_string(call.input(0)));
  if (x.size() < 2) throw ShapeError(text);
  if (x[x.size() - 2] != x.back()) refuse_unequal(text, x[x.size() - 2], x.back());
}

void require_factor(const OperatorCall& call) {
  const Type type = call.input(0).type;
  if (!type.is_float() && (!type.is_integer() || type.bits < 32)) {
    throw ModelError(
        fmt::format("input 0 is {}; supported: f64, f32, f16, i64, i32, u64, u32", to_string(call.input(0))));
  }
  require_same_types(call);
}

/// `name`, which integers are multiplied with exactly.
double scale(const OperatorCall& call, const char* name) {
  const double value = call.attributes.get<double>(name, 1.0);
  if (!call.input(0).type.is_float() && value != std::floor(value)) {
    throw ModelError(fmt::format("attribute {} = {} of {} is not supported; supported: whole numbers", name,
                                 to_string(Attributes::Value(value)), to_string(call.input(0).type)));
  }
  return value;
}

}  // namespace

InferredNode gemm(const OperatorCall& call) {
  require_factor(call);
  const Shape &a = call.input(0).shape, &b = call.input(1).shape;
  if (a.size() != 2 || b.size() != 2) {
    throw ShapeError(fmt::format("A and B are {} and {}; both must be matrices", to_string(a), to_string(b)));
  }
  const bool trans_a = call.attributes.get<std::int64_t>("transA", 0) != 0;
  const bool trans_b = call.attributes.get<std::int64_t>("transB", 0) != 0;
  require_inner(call.input(0), a[trans_a ? 0 : 1], call.input(1), b[trans_b ? 1 : 0]);
  Shape shape{a[trans_a ? 1 : 0], b[trans_b ? 0 : 1]};
  if (call.has_input(2) && broadcast(shape, call.input(2).shape) != shape) {
    throw ShapeError(
        fmt::format("C is {}; it must broadcast to {}", to_string(call.input(2).shape), to_string(shape)));
  }
  Attributes attributes;
  attributes.set("alpha", scale(call, "alpha"));
  attributes.set("beta", scale(call, "beta"));
  attributes.set("transA", std::int64_t{trans_a});
  attributes.set("transB", std::int64_t{trans_b});
  return {call.input(0).type, std::move(shape), std::move(attributes)};
}

InferredNode matmul(const OperatorCall& call) {
  require_factor(call);
  return {call.input(0).type, product_shape(call, 0, 1), {}};
}

InferredNode matmul_integer(const OperatorCall& call) {
  require_quantized(call, 0, 2);
  require_quantized(call, 1, 3);
  require_row_parameter(call, 2, 0);
  require_column_parameter(call, 3, 1);
  return {Int(32), product_shape(call, 0, 1), {}};
}

InferredNode qlinear_matmul(const OperatorCall& call) {
  require_quantized(call, 0, 2);
  require_quantized(call, 3, 5);
  require_quantized(call, 7, 7);
  for (const std::size_t i : {1, 4, 6}) require_float(call, i);
  for (const std::size_t i : {1, 2}) require_row_parameter(call, i, 0);
  for (const std::size_t i : {4, 5}) require_column_parameter(call, i, 3);
  for (const std::size_t i : {6, 7}) require_parameter(call, i);
  return {call.input(7).type, product_shape(call, 0, 3), {}};
}

InferredNode det(const OperatorCall& call) {
  require_square(call);
  const Shape& x = call.input(0).shape;
  return {call.input(0).type, Shape(x.begin(), x.end() - 2), {}};
}

InferredNode inverse(const OperatorCall& call) {
  require_square(call);
  return {call.input(0).type, call.input(0).shape, {}};
}

InferredNode einsum(const OperatorCall& call) {
  const Type type = call.input(0).type;
  if (type.is_bool())
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(call.input(0))));
  require_same_types(call);
  std::vector<Shape> inputs;
  for (const TensorInfo* input : call.inputs) inputs.push_back(input->shape);
  const EinsumEquation equation(call.attributes.get<std::string>("equation"), inputs);
  Shape shape;
  for (const EinsumEquation::Label label : equation.output) shape.push_back(equation.extents.at(label));
  return {type, std::move(shape), call.attributes};
}

}  // namespace tensordsl::ops::shapes

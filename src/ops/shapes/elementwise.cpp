#include <fmt/format.h>

#include <initializer_list>

#include "ops/assumed_sizes.h"
#include "ops/element_types.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

void require_number(const OperatorCall& call, std::size_t i = 0) {
  if (call.input(i).type.is_bool()) {
    throw ModelError(
        fmt::format("input {} is {}; supported: all types but bool", i, to_string(call.input(i))));
  }
}

void require_integer(const OperatorCall& call) {
  if (!call.input(0).type.is_integer())
    throw ModelError(fmt::format("input 0 is {}; supported: integers", to_string(call.input(0))));
}

void require_bool(const OperatorCall& call, std::size_t i) {
  if (!call.input(i).type.is_bool())
    throw ModelError(fmt::format("input {} is {}; supported: bool", i, to_string(call.input(i))));
}

/// The attributes `defaults`, numbers, are written out.
InferredNode with_numbers(InferredNode node, const OperatorCall& call,
                          std::initializer_list<std::pair<const char*, double>> defaults) {
  for (const auto& [name, value] : defaults)
    node.attributes.set(name, call.attributes.get<double>(name, value));
  return node;
}

InferredNode broadcast_to(Type type, const OperatorCall& call) {
  return {type, broadcast(call.input(0).shape, call.input(1).shape), {}};
}

}  // namespace

InferredNode same(const OperatorCall& call) { return {call.input(0).type, call.input(0).shape, {}}; }

InferredNode cast(const OperatorCall& call) {
  const std::int64_t to = call.attributes.get<std::int64_t>("to");
  InferredNode result{element_type("to", to), call.input(0).shape, {}};
  result.attributes.set("to", to);
  return result;
}

InferredNode bit_cast(const OperatorCall& call) {
  InferredNode result = cast(call);
  // A bool is a byte in memory.
  const auto bits = [](Type type) { return type.is_bool() ? 8 : static_cast<int>(type.bits); };
  const Type from = call.input(0).type, to = result.type();
  if (bits(from) != bits(to)) {
    throw ModelError(
        fmt::format("input 0 is {}, of {} bits, and {} has {}; a BitCast needs types of equal width",
                    to_string(call.input(0)), bits(from), to_string(to), bits(to)));
  }
  return result;
}

InferredNode cast_like(const OperatorCall& call) { return {call.input(1).type, call.input(0).shape, {}}; }

InferredNode dropout(const OperatorCall& call) {
  InferredNode result = same(call);
  if (call.outputs > 1) result.outputs.push_back({Bool(), call.input(0).shape});
  return result;
}

InferredNode numeric(const OperatorCall& call) {
  require_number(call);
  InferredNode result = same(call);
  for (const char* bound : {"min", "max"}) {
    if (call.attributes.has(bound)) result.attributes.set(bound, call.attributes.get<double>(bound));
  }
  return result;
}

InferredNode floating(const OperatorCall& call) {
  require_float(call, 0);
  return same(call);
}

InferredNode integer(const OperatorCall& call) {
  require_integer(call);
  return same(call);
}

InferredNode logical(const OperatorCall& call) {
  require_bool(call, 0);
  return same(call);
}

InferredNode is_nan(const OperatorCall& call) {
  require_float(call, 0);
  return {Bool(), call.input(0).shape, {}};
}

InferredNode is_inf(const OperatorCall& call) {
  InferredNode result = is_nan(call);
  for (const char* name : {"detect_negative", "detect_positive"})
    result.attributes.set(name, read_flag(call.attributes, name, 1));
  return result;
}

InferredNode elu(const OperatorCall& call) { return with_numbers(floating(call), call, {{"alpha", 1.0}}); }

InferredNode gelu(const OperatorCall& call) {
  InferredNode result = floating(call);
  const auto approximate = call.attributes.get<std::string>("approximate", "none");
  if (approximate != "none" && approximate != "tanh") {
    throw ModelError(
        fmt::format("attribute approximate = \"{}\" is not supported; supported: none, tanh", approximate));
  }
  result.attributes.set("approximate", approximate);
  return result;
}

InferredNode hard_sigmoid(const OperatorCall& call) {
  return with_numbers(floating(call), call, {{"alpha", 0.2F}, {"beta", 0.5}});
}

InferredNode leaky_relu(const OperatorCall& call) {
  return with_numbers(floating(call), call, {{"alpha", 0.01F}});
}

InferredNode selu(const OperatorCall& call) {
  return with_numbers(floating(call), call,
                      {{"alpha", 1.67326319217681884765625}, {"gamma", 1.05070102214813232421875}});
}

InferredNode swish(const OperatorCall& call) { return with_numbers(floating(call), call, {{"alpha", 1}}); }

InferredNode swi_glu(const OperatorCall& call) {
  const TensorInfo &gate = call.input(0), &value = call.input(1);
  const std::string text = fmt::format("A is {} and B {}; they must have the same type and shape",
                                       to_string(gate), to_string(value));
  if (gate.type != value.type) throw ModelError(text);
  if (gate.shape != value.shape) refuse_unequal(text, gate.shape, value.shape);
  return swish(call);
}

InferredNode shrink(const OperatorCall& call) {
  require_number(call);
  return with_numbers(same(call), call, {{"bias", 0.0}, {"lambd", 0.5}});
}

InferredNode softmax(const OperatorCall& call) {
  InferredNode result = floating(call);
  result.attributes.set("axis",
                        normal_axis(call.attributes.get<std::int64_t>("axis", -1), result.shape().size()));
  return result;
}

InferredNode binary(const OperatorCall& call) {
  require_number(call);
  require_same_types(call);
  return broadcast_to(call.input(0).type, call);
}

InferredNode bit_shift(const OperatorCall& call) {
  require_integer(call);
  InferredNode result = binary(call);
  const auto& direction = call.attributes.get<std::string>("direction");
  if (direction != "LEFT" && direction != "RIGHT") {
    throw ModelError(
        fmt::format("attribute direction = \"{}\" is not supported; supported: LEFT, RIGHT", direction));
  }
  result.attributes.set("direction", direction);
  return result;
}

InferredNode binary_integer(const OperatorCall& call) {
  require_integer(call);
  return binary(call);
}

InferredNode binary_logical(const OperatorCall& call) {
  for (const std::size_t i : {0, 1}) require_bool(call, i);
  return broadcast_to(Bool(), call);
}

InferredNode comparison(const OperatorCall& call) {
  require_number(call);
  return equal(call);
}

InferredNode equal(const OperatorCall& call) {
  require_same_types(call);
  return broadcast_to(Bool(), call);
}

InferredNode mod(const OperatorCall& call) {
  InferredNode result = binary(call);
  const std::int64_t fmod = read_flag(call.attributes, "fmod", 0);
  result.attributes.set("fmod", fmod);
  return result;
}

InferredNode pow(const OperatorCall& call) {
  for (const std::size_t i : {0, 1}) require_number(call, i);
  return broadcast_to(call.input(0).type, call);
}

InferredNode prelu(const OperatorCall& call) {
  InferredNode result = binary(call);
  if (result.shape() != call.input(0).shape) {
    throw ShapeError(fmt::format("the slope is {}; it must broadcast to {}", to_string(call.input(1).shape),
                                 to_string(call.input(0).shape)));
  }
  return result;
}

InferredNode mean(const OperatorCall& call) {
  require_float(call, 0);
  require_same_types(call);
  Shape shape = call.input(0).shape;
  for (std::size_t i = 1; i < call.inputs.size(); ++i) shape = broadcast(shape, call.input(i).shape);
  return {call.input(0).type, std::move(shape), {}};
}

InferredNode where(const OperatorCall& call) {
  require_bool(call, 0);
  if (call.input(1).type != call.input(2).type) {
    throw ModelError(fmt::format("inputs 1 and 2 are {} and {}; their types must be the same",
                                 to_string(call.input(1)), to_string(call.input(2))));
  }
  const Shape values = broadcast(call.input(1).shape, call.input(2).shape);
  return {call.input(1).type, broadcast(call.input(0).shape, values), {}};
}

}  // namespace tensordsl::ops::shapes

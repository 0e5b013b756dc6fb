#include "ops/shapes/elementwise.h"

#include <fmt/format.h>

#include <map>

#include "tensordsl/error.h"

namespace tensordsl::shapes {
namespace {

void require_number(const OperatorCall& call) {
  if (call.input(0).type.is_bool()) {
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(call.input(0))));
  }
}

}  // namespace

InferredNode same(const OperatorCall& call) { return {call.input(0).type, call.input(0).shape, {}}; }

InferredNode cast(const OperatorCall& call) {
  // TensorProto.DataType
  const std::map<std::int64_t, Type> types{{1, Float(32)}, {2, UInt(8)}, {3, Int(8)},     {6, Int(32)},
                                           {7, Int(64)},   {9, Bool()},  {10, Float(16)}, {11, Float(64)}};
  const std::int64_t to = call.attributes.get<std::int64_t>("to");
  const auto type = types.find(to);
  if (type == types.end()) {
    throw ModelError(fmt::format(
        "attribute to = {} is not supported; supported: 1 (FLOAT), 2 (UINT8), 3 (INT8), 6 (INT32), "
        "7 (INT64), 9 (BOOL), 10 (FLOAT16), 11 (DOUBLE)",
        to));
  }
  InferredNode result{type->second, call.input(0).shape, {}};
  result.attributes.set("to", to);
  return result;
}

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

InferredNode leaky_relu(const OperatorCall& call) {
  InferredNode result = floating(call);
  result.attributes.set("alpha", call.attributes.get<double>("alpha", 0.01F));
  return result;
}

InferredNode hard_sigmoid(const OperatorCall& call) {
  InferredNode result = floating(call);
  result.attributes.set("alpha", call.attributes.get<double>("alpha", 0.2F));
  result.attributes.set("beta", call.attributes.get<double>("beta", 0.5F));
  return result;
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
  return {call.input(0).type, broadcast(call.input(0).shape, call.input(1).shape), {}};
}

InferredNode batch_normalization(const OperatorCall& call) {
  InferredNode result = floating(call);
  if (result.shape().size() < 2) {
    throw ShapeError(
        fmt::format("the input is {}; it must have the dimensions [N,C,..]", to_string(call.input(0))));
  }
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    require_float(call, i);
    if (call.input(i).shape != Shape{result.shape()[1]}) {
      throw ShapeError(fmt::format("input {} is {}; an input {} has {} channels", i, to_string(call.input(i)),
                                   to_string(call.input(0)), to_string(result.shape()[1])));
    }
  }
  result.attributes.set("epsilon", call.attributes.get<double>("epsilon", 1e-5F));
  return result;
}

}  // namespace tensordsl::shapes

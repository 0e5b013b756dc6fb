#include "ops/shapes/elementwise.h"

#include <fmt/format.h>

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
                                   to_string(call.input(0)), result.shape()[1]));
    }
  }
  result.attributes.set("epsilon", call.attributes.get<double>("epsilon", 1e-5F));
  return result;
}

}  // namespace tensordsl::shapes

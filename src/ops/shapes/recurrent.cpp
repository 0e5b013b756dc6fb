#include <fmt/format.h>

#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

InferredNode recurrent_step(const OperatorCall& call) {
  require_float(call, 0);
  const Shape& projected = call.input(0).shape;
  const std::int64_t hidden = call.attributes.get<std::int64_t>("hidden_size");
  if (projected.size() != 3 || call.input(1).type != Int(32) || call.input(1).shape != Shape{2}) {
    throw ShapeError(fmt::format("the inputs are {} and {}; they must be [T,N,..] and i32[2]",
                                 to_string(call.input(0)), to_string(call.input(1))));
  }
  return {call.input(0).type, {projected[1], hidden}, call.attributes};
}

}  // namespace

InferredNode rnn_step(const OperatorCall& call) { return recurrent_step(call); }
InferredNode gru_step(const OperatorCall& call) { return recurrent_step(call); }

InferredNode lstm_step(const OperatorCall& call) {
  InferredNode result = recurrent_step(call);
  if (call.outputs > 1) result.outputs.push_back(result.outputs[0]);
  return result;
}

InferredNode recurrent_states(const OperatorCall& call) {
  const Shape& projected = call.input(0).shape;
  return {call.input(0).type, {projected[0] + 1, projected[1], call.input(1).shape[0]}, call.attributes};
}

InferredNode lstm_states(const OperatorCall& call) {
  const Shape& projected = call.input(0).shape;
  return {call.input(0).type, {projected[0] + 2, projected[1], call.input(1).shape[0]}, call.attributes};
}

}  // namespace tensordsl::ops::shapes

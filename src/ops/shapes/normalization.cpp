#include <fmt/format.h>

#include "ops/assumed_sizes.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

InferredNode same_floats(const OperatorCall& call) {
  require_float(call, 0);
  return {call.input(0).type, call.input(0).shape, {}};
}

/// Checks that input 0 has a dimension of channels. Throws ShapeError otherwise.
void require_channels(const OperatorCall& call) {
  if (call.input(0).shape.size() < 2) {
    throw ShapeError(
        fmt::format("the input is {}; it must have the dimensions [N,C,..]", to_string(call.input(0))));
  }
}

/// Checks that the inputs from 1 on are floats, one for each channel. Throws otherwise.
void require_channel_vectors(const OperatorCall& call) {
  const Size& channels = call.input(0).shape[1];
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    require_float(call, i);
    const Shape& shape = call.input(i).shape;
    if (shape == Shape{channels}) continue;
    const std::string text =
        fmt::format("input {} is {}; an input {} has {} channels", i, to_string(call.input(i)),
                    to_string(call.input(0)), to_string(channels));
    if (shape.size() != 1) throw ShapeError(text);
    refuse_unequal(text, channels, shape[0]);
  }
}

/// Checks that input `i` broadcasts to input 0. Throws otherwise.
void require_broadcast(const OperatorCall& call, std::size_t i) {
  require_float(call, i);
  const Shape& x = call.input(0).shape;
  if (broadcast(x, call.input(i).shape) != x) {
    throw ShapeError(
        fmt::format("input {} is {}; it must broadcast to {}", i, to_string(call.input(i)), to_string(x)));
  }
}

void set_epsilon(InferredNode& node, const OperatorCall& call) {
  node.attributes.set("epsilon", call.attributes.get<double>("epsilon", 1e-5F));
}

void set_axis(InferredNode& node, const OperatorCall& call) {
  node.attributes.set("axis",
                      normal_axis(call.attributes.get<std::int64_t>("axis", -1), node.shape().size()));
}

/// Sums are taken in f32 whatever the input, or in f64.
void check_stash_type(const OperatorCall& call) {
  if (const auto type = call.attributes.get<std::int64_t>("stash_type", 1); type != 1)
    throw ModelError(fmt::format("attribute stash_type = {} is not supported; supported: 1 (FLOAT)", type));
}

}  // namespace

InferredNode batch_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  require_channels(call);
  require_channel_vectors(call);
  set_epsilon(result, call);
  return result;
}

InferredNode group_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  require_channels(call);
  check_stash_type(call);
  const std::int64_t groups = call.attributes.get<std::int64_t>("num_groups");
  const Size& channels = call.input(0).shape[1];
  const Shape& scale = call.input(1).shape;
  if (scale.size() == 1 && scale[0] != groups && !is_equal(scale[0], channels)) {
    refuse_unequal(fmt::format("the scale is {}, but the input {} has {} channels", to_string(call.input(1)),
                               to_string(call.input(0)), to_string(channels)),
                   channels, scale[0]);
  }
  if (groups < 1 || !exact_quotient(channels, groups)) {
    throw ShapeError(fmt::format("num_groups = {} does not divide the {} channels of {}", groups,
                                 to_string(channels), to_string(call.input(0))));
  }
  for (const std::size_t i : {1, 2}) {
    require_float(call, i);
    const Shape& shape = call.input(i).shape;
    if (shape != Shape{channels} && shape != Shape{groups}) {
      throw ShapeError(
          fmt::format("input {} is {}; it must have one value for each of {} channels or {} groups", i,
                      to_string(call.input(i)), to_string(channels), groups));
    }
  }
  set_epsilon(result, call);
  result.attributes.set("num_groups", groups);
  return result;
}

InferredNode instance_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  if (result.shape().size() < 3) {
    throw ShapeError(fmt::format(
        "the input is {}; it must have the dimensions [N,C,..] with one spatial dimension or more",
        to_string(call.input(0))));
  }
  require_channel_vectors(call);
  set_epsilon(result, call);
  return result;
}

InferredNode layer_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  require_same_types(call);
  check_stash_type(call);
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.has_input(i)) require_broadcast(call, i);
  }
  set_axis(result, call);
  set_epsilon(result, call);
  Shape rows = result.shape();
  std::fill(rows.begin() + result.attributes.get<std::int64_t>("axis"), rows.end(), 1);
  while (result.outputs.size() < call.outputs) result.outputs.push_back({Float(32), rows});
  return result;
}

InferredNode lp_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  set_axis(result, call);
  const std::int64_t p = call.attributes.get<std::int64_t>("p", 2);
  if (p != 1 && p != 2)
    throw ModelError(fmt::format("attribute p = {} is not supported; supported: 1, 2", p));
  result.attributes.set("p", p);
  return result;
}

InferredNode lrn(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  require_channels(call);
  result.attributes.set("alpha", call.attributes.get<double>("alpha", 1e-4F));
  result.attributes.set("beta", call.attributes.get<double>("beta", 0.75));
  result.attributes.set("bias", call.attributes.get<double>("bias", 1.0));
  const std::int64_t size = call.attributes.get<std::int64_t>("size");
  constexpr std::int64_t kMost = 1 << 20;
  if (size < 1 || size > kMost) {
    throw ModelError(
        fmt::format("attribute size = {} is not supported; supported: values from 1 to {}", size, kMost));
  }
  result.attributes.set("size", size);
  return result;
}

InferredNode mean_variance_normalization(const OperatorCall& call) {
  InferredNode result = same_floats(call);
  const Ints axes = normal_axes(call.attributes.get<Ints>("axes", {0, 2, 3}), result.shape().size());
  if (axes.empty()) throw ModelError("attribute axes is empty; it must name a dimension");
  result.attributes.set("axes", axes);
  return result;
}

InferredNode rms_normalization(const OperatorCall& call) {
  require_float(call, 0);
  require_broadcast(call, 1);
  check_stash_type(call);
  InferredNode result{call.input(1).type, call.input(0).shape, {}};
  set_axis(result, call);
  set_epsilon(result, call);
  return result;
}

}  // namespace tensordsl::ops::shapes

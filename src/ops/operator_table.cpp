#include "ops/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ops/shapes/elementwise.h"
#include "ops/shapes/matrices.h"
#include "ops/shapes/movement.h"
#include "ops/shapes/windows.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

constexpr std::array kOperators{
    OperatorSpec{"Abs", 1, 1, shapes::numeric},
    OperatorSpec{"Add", 2, 2, shapes::binary},
    OperatorSpec{
        "AveragePool",
        1,
        1,
        shapes::average_pool,
        {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"BatchNormalization", 5, 5, shapes::batch_normalization, {"epsilon", "momentum"}},
    OperatorSpec{"Ceil", 1, 1, shapes::floating},
    OperatorSpec{"Clip", 1, 1, shapes::numeric, {"min", "max"}},
    OperatorSpec{"Concat", 1, kAny, shapes::concat, {"axis"}},
    OperatorSpec{
        "Conv", 2, 3, shapes::conv, {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"Div", 2, 2, shapes::binary},
    OperatorSpec{"Dropout", 1, 1, shapes::same, {"ratio", "seed"}},
    OperatorSpec{"Erf", 1, 1, shapes::floating},
    OperatorSpec{"Exp", 1, 1, shapes::floating},
    OperatorSpec{"Flatten", 1, 1, shapes::flatten, {"axis"}},
    OperatorSpec{"Floor", 1, 1, shapes::floating},
    OperatorSpec{"Gemm", 2, 3, shapes::gemm, {"alpha", "beta", "transA", "transB"}},
    OperatorSpec{"GlobalAveragePool", 1, 1, shapes::global_pool},
    OperatorSpec{"GlobalMaxPool", 1, 1, shapes::global_pool},
    OperatorSpec{"HardSigmoid", 1, 1, shapes::hard_sigmoid, {"alpha", "beta"}},
    OperatorSpec{"HardSwish", 1, 1, shapes::floating},
    OperatorSpec{"Identity", 1, 1, shapes::same},
    OperatorSpec{"LeakyRelu", 1, 1, shapes::leaky_relu, {"alpha"}},
    OperatorSpec{"Log", 1, 1, shapes::floating},
    OperatorSpec{"MatMul", 2, 2, shapes::matmul},
    OperatorSpec{"Max", 2, 2, shapes::binary},
    OperatorSpec{"MaxPool",
                 1,
                 1,
                 shapes::max_pool,
                 {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order", "strides"}},
    OperatorSpec{"Min", 2, 2, shapes::binary},
    OperatorSpec{"Mul", 2, 2, shapes::binary},
    OperatorSpec{"Neg", 1, 1, shapes::numeric},
    OperatorSpec{"Pad", 1, 1, shapes::pad, {"mode", "pads", "value"}},
    OperatorSpec{"Pow", 2, 2, shapes::binary},
    OperatorSpec{"Relu", 1, 1, shapes::numeric},
    OperatorSpec{"Reshape", 1, 1, shapes::reshape, {"allowzero", "shape"}},
    OperatorSpec{"Sigmoid", 1, 1, shapes::floating},
    OperatorSpec{"Softmax", 1, 1, shapes::softmax, {"axis"}},
    OperatorSpec{"Sqrt", 1, 1, shapes::floating},
    OperatorSpec{"Squeeze", 1, 1, shapes::squeeze, {"axes"}},
    OperatorSpec{"Sub", 2, 2, shapes::binary},
    OperatorSpec{"Tanh", 1, 1, shapes::floating},
    OperatorSpec{"Transpose", 1, 1, shapes::transpose, {"perm"}},
    OperatorSpec{"Unsqueeze", 1, 1, shapes::unsqueeze, {"axes"}},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

void check_inputs(const OperatorSpec& spec, const OperatorCall& call) {
  const std::size_t count = call.inputs.size();
  if (count < spec.min_inputs || count > spec.max_inputs) {
    const std::string allowed = spec.min_inputs == spec.max_inputs ? fmt::format("{}", spec.min_inputs)
                                : spec.max_inputs == kAny
                                    ? fmt::format("{} or more", spec.min_inputs)
                                    : fmt::format("{} to {}", spec.min_inputs, spec.max_inputs);
    throw ModelError(fmt::format("{} inputs are given; it takes {}", count, allowed));
  }
  const std::size_t required = spec.max_inputs == kAny ? count : spec.min_inputs;
  for (std::size_t i = 0; i < required; ++i) {
    if (!call.inputs[i]) throw ModelError(fmt::format("input {} is absent", i));
  }
}

void check_attributes(const OperatorSpec& spec, const Attributes& attributes) {
  for (const auto& [name, value] : attributes.values()) {
    if (std::ranges::find(spec.attributes, name) != spec.attributes.end()) continue;
    std::vector<std::string_view> known(spec.attributes.begin(), std::ranges::find(spec.attributes, ""));
    throw ModelError(fmt::format("attribute {} = {} is not supported; supported attributes: {}", name,
                                 to_string(value),
                                 known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }
}

}  // namespace

std::span<const OperatorSpec> operators() { return kOperators; }

const OperatorSpec* find_operator(std::string_view name) {
  const auto found = std::ranges::lower_bound(kOperators, name, {}, &OperatorSpec::name);
  return found != kOperators.end() && found->name == name ? &*found : nullptr;
}

InferredTensor infer(const OperatorSpec& spec, const OperatorCall& call) {
  check_inputs(spec, call);
  check_attributes(spec, call.attributes);
  InferredTensor result = spec.infer(call);
  for (const std::int64_t extent : result.shape) {
    if (extent < 1)
      throw ShapeError(fmt::format("the output would be {}, which has no elements", to_string(result.shape)));
  }
  checked_bytes(result.type, result.shape);
  return result;
}

}  // namespace tensordsl

#include "ops/operator_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "ops/definitions/definitions.h"
#include "ops/normalize/rules.h"
#include "ops/shapes/elementwise.h"
#include "ops/shapes/matrices.h"
#include "ops/shapes/movement.h"
#include "ops/shapes/windows.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();
constexpr std::int64_t kLatest = 22;

constexpr std::array kOperators{
    OperatorSpec{"Abs", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::abs},
    OperatorSpec{"Add", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::add},
    OperatorSpec{
        "AveragePool",
        {1, kLatest},
        {1, 1},
        nullptr,
        shapes::average_pool,
        definitions::average_pool,
        {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"BatchNormalization",
                 {1, kLatest},
                 {5, 5},
                 normalize::batch_normalization,
                 shapes::batch_normalization,
                 definitions::batch_normalization,
                 {"epsilon", "momentum"}},
    OperatorSpec{"Cast", {6, kLatest}, {1, 1}, normalize::cast, shapes::cast, definitions::cast, {"to"}},
    OperatorSpec{"Ceil", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::ceil},
    OperatorSpec{
        "Clip", {6, kLatest}, {1, 1}, normalize::clip, shapes::numeric, definitions::clip, {"min", "max"}},
    OperatorSpec{
        "Concat", {4, kLatest}, {1, kAny}, normalize::concat, shapes::concat, definitions::concat, {"axis"}},
    OperatorSpec{"Conv",
                 {1, kLatest},
                 {2, 3},
                 nullptr,
                 shapes::conv,
                 definitions::conv,
                 {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"Div", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::div},
    OperatorSpec{"Dropout",
                 {7, kLatest},
                 {1, 1},
                 normalize::dropout,
                 shapes::dropout,
                 definitions::dropout,
                 {"ratio", "seed"},
                 2},
    OperatorSpec{"Erf", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::erf},
    OperatorSpec{"Exp", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::exp},
    OperatorSpec{"Flatten", {1, kLatest}, {1, 1}, nullptr, shapes::flatten, definitions::reshape, {"axis"}},
    OperatorSpec{"Floor", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::floor},
    OperatorSpec{"Gemm",
                 {7, kLatest},
                 {2, 3},
                 nullptr,
                 shapes::gemm,
                 definitions::gemm,
                 {"alpha", "beta", "transA", "transB"}},
    OperatorSpec{"GlobalAveragePool",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::global_pool,
                 definitions::global_average_pool},
    OperatorSpec{
        "GlobalMaxPool", {1, kLatest}, {1, 1}, nullptr, shapes::global_pool, definitions::global_max_pool},
    OperatorSpec{"HardSigmoid",
                 {6, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::hard_sigmoid,
                 definitions::hard_sigmoid,
                 {"alpha", "beta"}},
    OperatorSpec{"HardSwish", {14, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::hard_swish},
    OperatorSpec{"Identity", {1, kLatest}, {1, 1}, nullptr, shapes::same, definitions::reshape},
    OperatorSpec{
        "LeakyRelu", {6, kLatest}, {1, 1}, nullptr, shapes::leaky_relu, definitions::leaky_relu, {"alpha"}},
    OperatorSpec{"Log", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::log},
    OperatorSpec{"MatMul", {1, kLatest}, {2, 2}, nullptr, shapes::matmul, definitions::matmul},
    OperatorSpec{"Max", {6, kLatest}, {2, 2}, normalize::variadic, shapes::binary, definitions::max},
    OperatorSpec{"MaxPool",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::max_pool,
                 definitions::max_pool,
                 {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order", "strides"}},
    OperatorSpec{"Min", {6, kLatest}, {2, 2}, normalize::variadic, shapes::binary, definitions::min},
    OperatorSpec{"Mul", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::mul},
    OperatorSpec{"Neg", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::neg},
    OperatorSpec{"Pad",
                 {2, kLatest},
                 {1, 1},
                 normalize::pad,
                 shapes::pad,
                 definitions::pad,
                 {"mode", "pads", "value"}},
    OperatorSpec{"Pow", {7, kLatest}, {2, 2}, normalize::pow, shapes::binary, definitions::pow},
    OperatorSpec{"Relu", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::relu},
    OperatorSpec{"Reshape",
                 {5, kLatest},
                 {1, 1},
                 normalize::reshape,
                 shapes::reshape,
                 definitions::reshape,
                 {"allowzero", "shape"}},
    OperatorSpec{"Sigmoid", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sigmoid},
    OperatorSpec{
        "Softmax", {1, kLatest}, {1, 1}, normalize::softmax, shapes::softmax, definitions::softmax, {"axis"}},
    OperatorSpec{"Sqrt", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sqrt},
    OperatorSpec{"Squeeze",
                 {1, kLatest},
                 {1, 1},
                 normalize::axes_operand,
                 shapes::squeeze,
                 definitions::reshape,
                 {"axes"}},
    OperatorSpec{"Sub", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::sub},
    OperatorSpec{"Sum", {8, kLatest}, {2, 2}, normalize::sum, shapes::binary, definitions::add},
    OperatorSpec{"Tanh", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::tanh},
    OperatorSpec{
        "Transpose", {1, kLatest}, {1, 1}, nullptr, shapes::transpose, definitions::transpose, {"perm"}},
    OperatorSpec{"Unsqueeze",
                 {1, kLatest},
                 {1, 1},
                 normalize::axes_operand,
                 shapes::unsqueeze,
                 definitions::reshape,
                 {"axes"}},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

void check_inputs(const OperatorSpec& spec, const OperatorCall& call) {
  const std::size_t count = call.inputs.size();
  if (count < spec.inputs.least || count > spec.inputs.most) {
    const std::string allowed = spec.inputs.least == spec.inputs.most ? fmt::format("{}", spec.inputs.least)
                                : spec.inputs.most == kAny
                                    ? fmt::format("{} or more", spec.inputs.least)
                                    : fmt::format("{} to {}", spec.inputs.least, spec.inputs.most);
    throw ModelError(fmt::format("{} inputs are given; it takes {}", count, allowed));
  }
  const std::size_t required = spec.inputs.most == kAny ? count : spec.inputs.least;
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

InferredNode infer(const OperatorSpec& spec, const OperatorCall& call) {
  check_inputs(spec, call);
  check_attributes(spec, call.attributes);
  InferredNode result = spec.infer(call);
  for (const auto& [type, shape] : result.outputs) {
    if (std::ranges::any_of(shape, [](const Size& extent) { return is_less(extent, 0) == true; }))
      throw ShapeError(fmt::format("the output would be {}; an extent is negative", to_string(shape)));
    check_tensor(type, shape);
  }
  return result;
}

}  // namespace tensordsl

#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kElementwiseOperators{
    OperatorSpec{"Abs", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::abs},
    OperatorSpec{"Acos", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::acos},
    OperatorSpec{"Acosh", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::acosh},
    OperatorSpec{"Add", {6, kLatest}, {2, 2}, normalize::binary, shapes::binary, definitions::add},
    OperatorSpec{"Asin", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::asin},
    OperatorSpec{"Asinh", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::asinh},
    OperatorSpec{"Atan", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::atan},
    OperatorSpec{"Atanh", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::atanh},
    OperatorSpec{"BitCast",
                 {26, kLatest},
                 {1, 1},
                 normalize::bit_cast,
                 shapes::bit_cast,
                 definitions::bit_cast,
                 {"to"}},
    OperatorSpec{"Cast", {6, kLatest}, {1, 1}, normalize::cast, shapes::cast, definitions::cast, {"to"}},
    OperatorSpec{
        "CastLike", {15, kLatest}, {2, 2}, normalize::cast_like, shapes::cast_like, definitions::cast},
    OperatorSpec{"Ceil", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::ceil},
    OperatorSpec{"Celu", {12, kLatest}, {1, 1}, nullptr, shapes::elu, definitions::celu, {"alpha"}},
    OperatorSpec{
        "Clip", {6, kLatest}, {1, 1}, normalize::clip, shapes::numeric, definitions::clip, {"max", "min"}},
    OperatorSpec{"Cos", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::cos},
    OperatorSpec{"Cosh", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::cosh},
    OperatorSpec{"Div", {6, kLatest}, {2, 2}, normalize::binary, shapes::binary, definitions::div},
    OperatorSpec{"Dropout",
                 {6, kLatest},
                 {1, 1},
                 normalize::dropout,
                 shapes::dropout,
                 definitions::dropout,
                 {"ratio", "seed"},
                 2},
    OperatorSpec{"Elu", {6, kLatest}, {1, 1}, nullptr, shapes::elu, definitions::elu, {"alpha"}},
    OperatorSpec{"Erf", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::erf},
    OperatorSpec{"Exp", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::exp},
    OperatorSpec{"Floor", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::floor},
    OperatorSpec{"Gelu", {20, kLatest}, {1, 1}, nullptr, shapes::gelu, definitions::gelu, {"approximate"}},
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
    OperatorSpec{"Max", {6, kLatest}, {2, 2}, normalize::variadic, shapes::binary, definitions::max},
    OperatorSpec{"Mean", {6, kLatest}, {1, kAny}, normalize::mean, shapes::mean, definitions::mean},
    OperatorSpec{"Min", {6, kLatest}, {2, 2}, normalize::variadic, shapes::binary, definitions::min},
    OperatorSpec{"Mish", {18, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::mish},
    OperatorSpec{"Mod", {10, kLatest}, {2, 2}, nullptr, shapes::mod, definitions::mod, {"fmod"}},
    OperatorSpec{"Mul", {6, kLatest}, {2, 2}, normalize::binary, shapes::binary, definitions::mul},
    OperatorSpec{"Neg", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::neg},
    OperatorSpec{"PRelu", {6, kLatest}, {2, 2}, normalize::prelu, shapes::prelu, definitions::prelu},
    OperatorSpec{"Pow", {6, kLatest}, {2, 2}, normalize::pow, shapes::pow, definitions::pow},
    OperatorSpec{"Reciprocal", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::reciprocal},
    OperatorSpec{"Relu", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::relu},
    OperatorSpec{"Round", {11, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::round},
    OperatorSpec{"Selu", {6, kLatest}, {1, 1}, nullptr, shapes::selu, definitions::selu, {"alpha", "gamma"}},
    OperatorSpec{
        "Shrink", {9, kLatest}, {1, 1}, nullptr, shapes::shrink, definitions::shrink, {"bias", "lambd"}},
    OperatorSpec{"Sigmoid", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sigmoid},
    OperatorSpec{"Sign", {9, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::sign},
    OperatorSpec{"Sin", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sin},
    OperatorSpec{"Sinh", {9, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sinh},
    OperatorSpec{"Softplus", {1, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::softplus},
    OperatorSpec{"Softsign", {1, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::softsign},
    OperatorSpec{"Sqrt", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sqrt},
    OperatorSpec{"Sub", {6, kLatest}, {2, 2}, normalize::binary, shapes::binary, definitions::sub},
    OperatorSpec{"Sum", {6, kLatest}, {2, 2}, normalize::sum, shapes::binary, definitions::add},
    OperatorSpec{"SwiGLU", {28, kLatest}, {2, 2}, nullptr, shapes::swi_glu, definitions::swi_glu, {"alpha"}},
    OperatorSpec{"Swish", {24, kLatest}, {1, 1}, nullptr, shapes::swish, definitions::swish, {"alpha"}},
    OperatorSpec{"Tan", {7, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::tan},
    OperatorSpec{"Tanh", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::tanh},
    OperatorSpec{"ThresholdedRelu",
                 {10, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::elu,
                 definitions::thresholded_relu,
                 {"alpha"}},
};
static_assert(std::ranges::is_sorted(kElementwiseOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> elementwise() { return kElementwiseOperators; }

}  // namespace tensordsl::ops::tables

#include <algorithm>

#include "ops/definitions/definitions.h"
#include "ops/normalize/rules.h"
#include "ops/shapes/elementwise.h"
#include "ops/shapes/movement.h"
#include "ops/tables/tables.h"

namespace tensordsl::tables {
namespace {

constexpr std::array kOperators{
    OperatorSpec{"Abs", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::abs},
    OperatorSpec{"Add", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::add},
    OperatorSpec{"Cast", {6, kLatest}, {1, 1}, normalize::cast, shapes::cast, definitions::cast, {"to"}},
    OperatorSpec{"Ceil", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::ceil},
    OperatorSpec{
        "Clip", {6, kLatest}, {1, 1}, normalize::clip, shapes::numeric, definitions::clip, {"min", "max"}},
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
    OperatorSpec{"Floor", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::floor},
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
    OperatorSpec{"Min", {6, kLatest}, {2, 2}, normalize::variadic, shapes::binary, definitions::min},
    OperatorSpec{"Mul", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::mul},
    OperatorSpec{"Neg", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::neg},
    OperatorSpec{"Pow", {7, kLatest}, {2, 2}, normalize::pow, shapes::binary, definitions::pow},
    OperatorSpec{"Relu", {6, kLatest}, {1, 1}, nullptr, shapes::numeric, definitions::relu},
    OperatorSpec{"Sigmoid", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sigmoid},
    OperatorSpec{"Sqrt", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::sqrt},
    OperatorSpec{"Sub", {7, kLatest}, {2, 2}, nullptr, shapes::binary, definitions::sub},
    OperatorSpec{"Sum", {8, kLatest}, {2, 2}, normalize::sum, shapes::binary, definitions::add},
    OperatorSpec{"Tanh", {6, kLatest}, {1, 1}, nullptr, shapes::floating, definitions::tanh},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> elementwise() { return kOperators; }

}  // namespace tensordsl::tables

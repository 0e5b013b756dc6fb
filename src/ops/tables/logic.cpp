#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kLogicOperators{
    OperatorSpec{
        "And", {1, kLatest}, {2, 2}, normalize::binary, shapes::binary_logical, definitions::logical_and},
    OperatorSpec{
        "BitShift", {11, kLatest}, {2, 2}, nullptr, shapes::bit_shift, definitions::bit_shift, {"direction"}},
    OperatorSpec{
        "BitwiseAnd", {18, kLatest}, {2, 2}, nullptr, shapes::binary_integer, definitions::bitwise_and},
    OperatorSpec{"BitwiseNot", {18, kLatest}, {1, 1}, nullptr, shapes::integer, definitions::bitwise_not},
    OperatorSpec{
        "BitwiseOr", {18, kLatest}, {2, 2}, nullptr, shapes::binary_integer, definitions::bitwise_or},
    OperatorSpec{
        "BitwiseXor", {18, kLatest}, {2, 2}, nullptr, shapes::binary_integer, definitions::bitwise_xor},
    OperatorSpec{"Equal", {1, kLatest}, {2, 2}, normalize::binary, shapes::equal, definitions::equal},
    OperatorSpec{
        "Greater", {1, kLatest}, {2, 2}, normalize::binary, shapes::comparison, definitions::greater},
    OperatorSpec{
        "GreaterOrEqual", {12, kLatest}, {2, 2}, nullptr, shapes::comparison, definitions::greater_or_equal},
    OperatorSpec{"IsInf",
                 {10, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::is_inf,
                 definitions::is_inf,
                 {"detect_negative", "detect_positive"}},
    OperatorSpec{"IsNaN", {9, kLatest}, {1, 1}, nullptr, shapes::is_nan, definitions::is_nan},
    OperatorSpec{"Less", {1, kLatest}, {2, 2}, normalize::binary, shapes::comparison, definitions::less},
    OperatorSpec{
        "LessOrEqual", {12, kLatest}, {2, 2}, nullptr, shapes::comparison, definitions::less_or_equal},
    OperatorSpec{"Not", {1, kLatest}, {1, 1}, nullptr, shapes::logical, definitions::logical_not},
    OperatorSpec{
        "Or", {1, kLatest}, {2, 2}, normalize::binary, shapes::binary_logical, definitions::logical_or},
    OperatorSpec{"Where", {9, kLatest}, {3, 3}, nullptr, shapes::where, definitions::where},
    OperatorSpec{
        "Xor", {1, kLatest}, {2, 2}, normalize::binary, shapes::binary_logical, definitions::logical_xor},
};
static_assert(std::ranges::is_sorted(kLogicOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> logic() { return kLogicOperators; }

}  // namespace tensordsl::ops::tables

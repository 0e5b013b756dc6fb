#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kQuantizationOperators{
    OperatorSpec{"ConvInteger",
                 {10, kLatest},
                 {2, 4},
                 nullptr,
                 shapes::conv_integer,
                 definitions::conv_integer,
                 {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"DequantizeLinear",
                 {10, kLatest},
                 {2, 3},
                 normalize::dequantize_linear,
                 shapes::dequantize_linear,
                 definitions::dequantize_linear,
                 {"axis", "block_size", "output_dtype", "x_dtype"}},
    OperatorSpec{"DynamicQuantizeLinear",
                 {11, kLatest},
                 {1, 1},
                 normalize::dynamic_quantize_linear,
                 nullptr,
                 nullptr,
                 {},
                 3},
    OperatorSpec{
        "MatMulInteger", {10, kLatest}, {2, 4}, nullptr, shapes::matmul_integer, definitions::matmul_integer},
    OperatorSpec{"QLinearConv",
                 {10, kLatest},
                 {8, 9},
                 nullptr,
                 shapes::qlinear_conv,
                 definitions::qlinear_conv,
                 {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    OperatorSpec{
        "QLinearMatMul", {10, kLatest}, {8, 8}, nullptr, shapes::qlinear_matmul, definitions::qlinear_matmul},
    OperatorSpec{"QuantizeLinear",
                 {10, kLatest},
                 {2, 3},
                 normalize::quantize_linear,
                 shapes::quantize_linear,
                 definitions::quantize_linear,
                 {"axis", "block_size", "output_dtype", "precision", "saturate"}},
};
static_assert(std::ranges::is_sorted(kQuantizationOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> quantization() { return kQuantizationOperators; }

}  // namespace tensordsl::ops::tables

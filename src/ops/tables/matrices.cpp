#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kMatrixOperators{
    OperatorSpec{"Det", {11, kLatest}, {1, 1}, nullptr, shapes::det, definitions::det},
    OperatorSpec{"Einsum",
                 {12, kLatest},
                 {1, kAny},
                 normalize::einsum,
                 shapes::einsum,
                 definitions::einsum,
                 {"equation"}},
    OperatorSpec{"Gemm",
                 {6, kLatest},
                 {2, 3},
                 normalize::binary,
                 shapes::gemm,
                 definitions::gemm,
                 {"alpha", "beta", "transA", "transB"}},
    OperatorSpec{"MatMul", {1, kLatest}, {2, 2}, nullptr, shapes::matmul, definitions::matmul},
};
static_assert(std::ranges::is_sorted(kMatrixOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> matrices() { return kMatrixOperators; }

}  // namespace tensordsl::ops::tables

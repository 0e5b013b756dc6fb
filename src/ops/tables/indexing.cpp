#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kIndexingOperators{
    OperatorSpec{"Compress", {9, kLatest}, {2, 2}, normalize::compress, nullptr, nullptr, {"axis"}},
    OperatorSpec{
        "Gather", {1, kLatest}, {2, 2}, normalize::gather, shapes::gather, definitions::gather, {"axis"}},
    OperatorSpec{"GatherElements",
                 {11, kLatest},
                 {2, 2},
                 nullptr,
                 shapes::gather_elements,
                 definitions::gather_elements,
                 {"axis"}},
    OperatorSpec{"GatherND",
                 {11, kLatest},
                 {2, 2},
                 nullptr,
                 shapes::gather_nd,
                 definitions::gather_nd,
                 {"batch_dims"}},
    OperatorSpec{"NonMaxSuppression",
                 {10, kLatest},
                 {2, 5},
                 normalize::non_max_suppression,
                 shapes::non_max_suppression,
                 definitions::non_max_suppression,
                 {"center_point_box", "most"}},
    OperatorSpec{"NonZero",
                 {9, kLatest},
                 {1, 1},
                 normalize::non_zero,
                 shapes::non_zero,
                 definitions::non_zero,
                 {"shape", "count"}},
    OperatorSpec{"OneHot",
                 {9, kLatest},
                 {2, 2},
                 normalize::one_hot,
                 shapes::one_hot,
                 definitions::one_hot,
                 {"axis", "depth"}},
    OperatorSpec{"ReverseSequence",
                 {10, kLatest},
                 {2, 2},
                 nullptr,
                 shapes::reverse_sequence,
                 definitions::reverse_sequence,
                 {"batch_axis", "time_axis"}},
    OperatorSpec{"Scatter", {9, 10}, {3, 3}, normalize::scatter, nullptr, nullptr, {"axis"}},
    OperatorSpec{"ScatterElements",
                 {11, kLatest},
                 {3, 3},
                 nullptr,
                 shapes::scatter_elements,
                 definitions::scatter_elements,
                 {"axis", "reduction"}},
    OperatorSpec{"ScatterND",
                 {11, kLatest},
                 {3, 3},
                 nullptr,
                 shapes::scatter_nd,
                 definitions::scatter_nd,
                 {"reduction"}},
    OperatorSpec{"TensorScatter",
                 {24, kLatest},
                 {2, 3},
                 nullptr,
                 shapes::tensor_scatter,
                 definitions::tensor_scatter,
                 {"axis", "mode"}},
    OperatorSpec{"TopK",
                 {1, kLatest},
                 {1, 1},
                 normalize::top_k,
                 shapes::top_k,
                 definitions::top_k,
                 {"axis", "k", "largest", "sorted"},
                 2},
    OperatorSpec{
        "Trilu", {14, kLatest}, {1, 1}, normalize::trilu, shapes::trilu, definitions::trilu, {"k", "upper"}},
    OperatorSpec{"Unique",
                 {11, kLatest},
                 {1, 1},
                 normalize::unique,
                 shapes::unique,
                 definitions::unique,
                 {"axis", "sorted"},
                 4},
};
static_assert(std::ranges::is_sorted(kIndexingOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> indexing() { return kIndexingOperators; }

}  // namespace tensordsl::ops::tables

#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kNormalizationOperators{
    OperatorSpec{"BatchNormalization",
                 {1, kLatest},
                 {5, 5},
                 normalize::batch_normalization,
                 shapes::batch_normalization,
                 definitions::batch_normalization,
                 {"epsilon", "momentum"}},
    OperatorSpec{"GroupNormalization",
                 {18, kLatest},
                 {3, 3},
                 nullptr,
                 shapes::group_normalization,
                 definitions::group_normalization,
                 {"epsilon", "num_groups", "stash_type"}},
    OperatorSpec{
        "Hardmax", {1, kLatest}, {1, 1}, normalize::softmax, shapes::softmax, definitions::hardmax, {"axis"}},
    OperatorSpec{"InstanceNormalization",
                 {6, kLatest},
                 {3, 3},
                 nullptr,
                 shapes::instance_normalization,
                 definitions::instance_normalization,
                 {"epsilon"}},
    OperatorSpec{"LRN",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::lrn,
                 definitions::lrn,
                 {"alpha", "beta", "bias", "size"}},
    OperatorSpec{"LayerNormalization",
                 {17, kLatest},
                 {2, 3},
                 nullptr,
                 shapes::layer_normalization,
                 definitions::layer_normalization,
                 {"axis", "epsilon", "stash_type"},
                 3},
    OperatorSpec{"LogSoftmax",
                 {1, kLatest},
                 {1, 1},
                 normalize::softmax,
                 shapes::softmax,
                 definitions::log_softmax,
                 {"axis"}},
    OperatorSpec{"LpNormalization",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::lp_normalization,
                 definitions::lp_normalization,
                 {"axis", "p"}},
    OperatorSpec{"MeanVarianceNormalization",
                 {9, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::mean_variance_normalization,
                 definitions::mean_variance_normalization,
                 {"axes"}},
    OperatorSpec{"RMSNormalization",
                 {23, kLatest},
                 {2, 2},
                 nullptr,
                 shapes::rms_normalization,
                 definitions::rms_normalization,
                 {"axis", "epsilon", "stash_type"}},
    OperatorSpec{"SimplifiedLayerNormalization",
                 {1, kLatest},
                 {2, 2},
                 normalize::contributed::simplified_layer_normalization,
                 nullptr,
                 nullptr,
                 {"axis", "epsilon", "stash_type"},
                 2},
    OperatorSpec{
        "Softmax", {1, kLatest}, {1, 1}, normalize::softmax, shapes::softmax, definitions::softmax, {"axis"}},
};
static_assert(std::ranges::is_sorted(kNormalizationOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> normalization() { return kNormalizationOperators; }

}  // namespace tensordsl::ops::tables

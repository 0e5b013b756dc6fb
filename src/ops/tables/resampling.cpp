#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kResamplingOperators{
    OperatorSpec{"Resize",
                 {10, kLatest},
                 {1, 1},
                 normalize::resize,
                 shapes::resize,
                 definitions::resize,
                 {"coordinate_transformation_mode", "cubic_coeff_a", "exclude_outside", "extrapolation_value",
                  "mode", "nearest_mode", "roi", "scales", "sizes"}},
    OperatorSpec{"Upsample", {7, 9}, {1, 2}, normalize::upsample, nullptr, nullptr, {"mode", "scales"}},
};
static_assert(std::ranges::is_sorted(kResamplingOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> resampling() { return kResamplingOperators; }

}  // namespace tensordsl::ops::tables

#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kSizeOperators{
    OperatorSpec{"ConstantOfShape",
                 {9, kLatest},
                 {0, 0},
                 normalize::constant_of_shape,
                 shapes::constant_of_shape,
                 definitions::constant_of_shape,
                 {"shape", "value"}},
    OperatorSpec{"EyeLike",
                 {9, kLatest},
                 {0, 0},
                 normalize::eye_like,
                 shapes::eye_like,
                 definitions::eye_like,
                 {"dtype", "k", "shape"}},
    OperatorSpec{"Range",
                 {11, kLatest},
                 {0, 0},
                 normalize::range,
                 shapes::range,
                 definitions::range,
                 {"count", "delta", "dtype", "start"}},
    OperatorSpec{
        "Shape", {1, kLatest}, {0, 0}, normalize::shape, shapes::shape, definitions::sizes, {"sizes"}},
    OperatorSpec{"Size", {1, kLatest}, {0, 0}, normalize::size, shapes::size, definitions::sizes, {"sizes"}},
};
static_assert(std::ranges::is_sorted(kSizeOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> sizes() { return kSizeOperators; }

}  // namespace tensordsl::ops::tables

#include <algorithm>

#include "ops/definitions/definitions.h"
#include "ops/normalize/rules.h"
#include "ops/shapes/elementwise.h"
#include "ops/tables/tables.h"

namespace tensordsl::tables {
namespace {

constexpr std::array kOperators{
    OperatorSpec{"BatchNormalization",
                 {1, kLatest},
                 {5, 5},
                 normalize::batch_normalization,
                 shapes::batch_normalization,
                 definitions::batch_normalization,
                 {"epsilon", "momentum"}},
    OperatorSpec{
        "Softmax", {1, kLatest}, {1, 1}, normalize::softmax, shapes::softmax, definitions::softmax, {"axis"}},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> normalization() { return kOperators; }

}  // namespace tensordsl::tables

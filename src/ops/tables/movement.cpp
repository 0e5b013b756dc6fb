#include <algorithm>

#include "ops/definitions/definitions.h"
#include "ops/normalize/rules.h"
#include "ops/shapes/movement.h"
#include "ops/tables/tables.h"

namespace tensordsl::tables {
namespace {

constexpr std::array kOperators{
    OperatorSpec{
        "Concat", {4, kLatest}, {1, kAny}, normalize::concat, shapes::concat, definitions::concat, {"axis"}},
    OperatorSpec{"Flatten", {1, kLatest}, {1, 1}, nullptr, shapes::flatten, definitions::reshape, {"axis"}},
    OperatorSpec{"Pad",
                 {2, kLatest},
                 {1, 1},
                 normalize::pad,
                 shapes::pad,
                 definitions::pad,
                 {"mode", "pads", "value"}},
    OperatorSpec{"Reshape",
                 {5, kLatest},
                 {1, 1},
                 normalize::reshape,
                 shapes::reshape,
                 definitions::reshape,
                 {"allowzero", "shape"}},
    OperatorSpec{"Squeeze",
                 {1, kLatest},
                 {1, 1},
                 normalize::axes_operand,
                 shapes::squeeze,
                 definitions::reshape,
                 {"axes"}},
    OperatorSpec{
        "Transpose", {1, kLatest}, {1, 1}, nullptr, shapes::transpose, definitions::transpose, {"perm"}},
    OperatorSpec{"Unsqueeze",
                 {1, kLatest},
                 {1, 1},
                 normalize::axes_operand,
                 shapes::unsqueeze,
                 definitions::reshape,
                 {"axes"}},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> movement() { return kOperators; }

}  // namespace tensordsl::tables

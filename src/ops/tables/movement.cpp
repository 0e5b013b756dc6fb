#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kMovementOperators{
    OperatorSpec{
        "CenterCropPad", {18, kLatest}, {2, 2}, normalize::center_crop_pad, nullptr, nullptr, {"axes"}},
    OperatorSpec{
        "Concat", {4, kLatest}, {1, kAny}, normalize::concat, shapes::concat, definitions::concat, {"axis"}},
    OperatorSpec{"DepthToSpace",
                 {1, kLatest},
                 {1, 1},
                 normalize::depth_to_space,
                 nullptr,
                 nullptr,
                 {"blocksize", "mode"}},
    OperatorSpec{"Expand",
                 {8, kLatest},
                 {1, 1},
                 normalize::shape_operand,
                 shapes::expand,
                 definitions::expand,
                 {"shape"}},
    OperatorSpec{"Flatten", {1, kLatest}, {1, 1}, nullptr, shapes::flatten, definitions::reshape, {"axis"}},
    OperatorSpec{"Pad",
                 {2, kLatest},
                 {1, 2},
                 normalize::pad,
                 shapes::pad,
                 definitions::pad,
                 {"mode", "pads", "value"}},
    OperatorSpec{"Reshape",
                 {5, kLatest},
                 {1, 1},
                 normalize::shape_operand,
                 shapes::reshape,
                 definitions::reshape,
                 {"allowzero", "shape"}},
    OperatorSpec{"Slice",
                 {1, kLatest},
                 {1, 1},
                 normalize::slice,
                 shapes::slice,
                 definitions::slice,
                 {"axes", "ends", "placed", "starts", "steps"}},
    OperatorSpec{"SpaceToDepth",
                 {1, kLatest},
                 {1, 1},
                 normalize::space_to_depth,
                 nullptr,
                 nullptr,
                 {"blocksize", "mode"}},
    OperatorSpec{"Split",
                 {2, kLatest},
                 {1, 1},
                 normalize::split,
                 shapes::split,
                 definitions::split,
                 {"axis", "num_outputs", "split"},
                 kAny},
    OperatorSpec{"Squeeze",
                 {1, kLatest},
                 {1, 1},
                 normalize::axes_operand,
                 shapes::squeeze,
                 definitions::reshape,
                 {"axes"}},
    OperatorSpec{"Tile", {6, kLatest}, {1, 1}, normalize::tile, shapes::tile, definitions::tile, {"repeats"}},
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
static_assert(std::ranges::is_sorted(kMovementOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> movement() { return kMovementOperators; }

}  // namespace tensordsl::ops::tables

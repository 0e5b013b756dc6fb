#include <algorithm>

#include "ops/definitions/definitions.h"
#include "ops/normalize/rules.h"
#include "ops/shapes/windows.h"
#include "ops/tables/tables.h"

namespace tensordsl::tables {
namespace {

constexpr std::array kOperators{
    OperatorSpec{
        "AveragePool",
        {1, kLatest},
        {1, 1},
        nullptr,
        shapes::average_pool,
        definitions::average_pool,
        {"auto_pad", "ceil_mode", "count_include_pad", "dilations", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"Col2Im",
                 {18, kLatest},
                 {1, 1},
                 normalize::col2im,
                 shapes::col2im,
                 definitions::col2im,
                 {"block_shape", "dilations", "image_shape", "pads", "strides"}},
    OperatorSpec{"Conv",
                 {1, kLatest},
                 {2, 3},
                 nullptr,
                 shapes::conv,
                 definitions::conv,
                 {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"GlobalAveragePool",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::global_pool,
                 definitions::global_average_pool},
    OperatorSpec{
        "GlobalMaxPool", {1, kLatest}, {1, 1}, nullptr, shapes::global_pool, definitions::global_max_pool},
    OperatorSpec{"MaxPool",
                 {1, kLatest},
                 {1, 1},
                 nullptr,
                 shapes::max_pool,
                 definitions::max_pool,
                 {"auto_pad", "ceil_mode", "dilations", "kernel_shape", "pads", "storage_order", "strides"}},
};
static_assert(std::ranges::is_sorted(kOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> windows() { return kOperators; }

}  // namespace tensordsl::tables

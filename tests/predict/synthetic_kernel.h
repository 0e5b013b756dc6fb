// Kernels of a few lines, for tests of the analysis of kernels.
#pragma once

#include <array>
#include <string_view>

#include "ir/text/parse.h"
#include "lower/lowered.h"
#include "lower/passes/kernel/count_resources.h"

namespace tensordsl::testing {

/// A kernel that reads buffers a, b and c (f32 [1048576]) and an image `texels`; `size`: work-items of a
/// group.
inline lower::LoweredKernel synthetic_kernel(std::string_view body, std::array<int, 3> size = {32, 1, 1},
                                             std::array<Expr, 3> groups = {Expr(132), Expr(1), Expr(1)}) {
  lower::LoweredKernel kernel;
  kernel.name = "k";
  for (const char* name : {"a", "b", "c"})
    kernel.buffers.push_back({name, Float(32), KernelArgument::Access::ReadWrite, Expr(1048576)});
  kernel.buffers.push_back({"texels", Float(32), KernelArgument::Access::ReadOnly, Expr(1048576),
                            lower::ImageShape{ImageKind::Image2D, 4, {Expr(512), Expr(512)}}});
  kernel.groups = std::move(groups);
  kernel.group_size = size;
  kernel.body = ir::parse_stmt(body);
  kernel.resources = lower::count_resources(kernel);
  return kernel;
}

}  // namespace tensordsl::testing

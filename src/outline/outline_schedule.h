// Funcs with their schedules -> outlines of the kernels that they become, without lowering them.
//
// The loops are those of the directives; the parts of Funcs that are computed inside loops follow from the
// indices at which they are read. Needs: definitions, schedules, and layouts of Inputs and outputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "predict/kernel_outline.h"

namespace tensordsl::outline {

/// Returns the value of a Param.
using Sizes = std::function<std::int64_t(const std::string& param)>;

/// Takes 64 for each Param, a likely extent.
std::int64_t likely_size(const std::string& param);

/// Returns an outline for each stage that is a kernel of its own, in the order in which they run.
std::vector<predict::KernelOutline> outline_schedule(const std::vector<ir::FunctionPtr>& outputs,
                                                     const Sizes& sizes = likely_size);

}  // namespace tensordsl::outline

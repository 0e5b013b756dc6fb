// What the passes over a kernel know besides its body.
#pragma once

#include <set>
#include <string>

#include "ir/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/pipeline.h"
#include "lower/stages.h"

namespace tensordsl::lower {

struct PassContext {
  const RootNest& nest;                      // what the kernel computes
  const schedule::FuncSchedule& directives;  // of that Func
  const LaunchAssumptions& assumptions;      // what holds wherever the kernel runs
  const Tensors& tensors;
  const std::set<std::string>& double_buffered;  // the Funcs whose tiles are prefetched
  const LowerOptions& options;
};

/// What is known of the indices of work-groups and work-items, and of the Params.
ir::Bounds bounds_of_indices(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower

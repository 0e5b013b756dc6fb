// Context of the passes over a kernel, besides its body.
#pragma once

#include <string>

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/lower.h"
#include "lower/pipeline_state.h"
#include "lower/stages.h"

namespace tensordsl::lower {

struct PassContext {
  const PipelineState& pipeline;
  const Tensors& tensors;                    // tensors of the pipeline
  const RootNest& nest;                      // nest that the kernel computes
  std::string kernel;                        // its name
  const schedule::FuncSchedule& directives;  // directives of the nest's Func
  LaunchAssumptions assumptions;             // facts that hold wherever the kernel runs
  const LowerOptions& options;
};

/// Names the kernel "f", "f_update0", "f_specialized0"; with underscores appended where a Func has the name.
PassContext context_of(const RootNest& nest, const PipelineState& pipeline, const LowerOptions& options);

/// Returns the ranges of the indices of work-groups and work-items, and of the Params.
ir::Bounds bounds_of_indices(const KernelBody& kernel, const PassContext& context);

}  // namespace tensordsl::lower

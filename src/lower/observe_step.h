// Shows the result of a step of lowering to the observer in the options, and verifies it if they ask for
// that.
#pragma once

#include "lower/lower.h"
#include "lower/pipeline_state.h"

namespace tensordsl::lower {

/// Observes a step over the whole pipeline: each nest, or each Func as long as there are no nests.
void observe_step(const StepInfo& step, const PipelineState& pipeline, const LowerOptions& options);

/// Observes a step over one kernel, of which `reached` is the last stage that holds. Throws InternalError
/// with the names of the step and the kernel if its body breaks a rule of ir::verify().
void observe_step(const StepInfo& step, const std::string& kernel, const ir::Stmt& body, Stage reached,
                  const PipelineState& pipeline, const LowerOptions& options);

}  // namespace tensordsl::lower

// State of a pipeline between definitions and nests, which the steps over the whole pipeline change.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "lower/read/infer_launch_requirements.h"
#include "lower/stages.h"

namespace tensordsl::lower {

struct PipelineState {
  std::vector<ir::FunctionPtr> outputs;
  std::vector<ir::FunctionPtr> functions;  // all that the outputs need, each after those it reads

  // Names that follow from the definitions and directives.
  std::set<std::string> inputs;
  std::set<std::string> parameters;       // known at the launch: Params, extents of outputs
  std::set<std::string> double_buffered;  // buffers with double_buffer()
  std::set<std::string> exchanged;        // buffers whose updates read elements that other iterations write

  // Results of the steps, in this order.
  std::vector<Producer> producers = {};
  PlacedFunctions placed = {};
  Tensors tensors = {};
  bool needs_read_guards = false;  // a nest reads outside an Input for unneeded points
  LaunchRequirements requirements = {};
};

/// Collects the Funcs that the outputs need, and their names.
PipelineState state_of(const std::vector<ir::FunctionPtr>& outputs);

/// Returns the names of Inputs that are whole buffers. A kernel may write other parts of a buffer that an
/// Input is a part of, so its content is not constant.
std::set<std::string> whole_inputs(const PipelineState& pipeline);

}  // namespace tensordsl::lower

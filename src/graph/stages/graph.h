// A model on its way from Funcs to a Program: the data that passes read and write.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "graph/stages/compile_options.h"
#include "graph/stages/fallbacks.h"
#include "graph/stages/fusion_barriers.h"
#include "graph/stages/lowered_group.h"
#include "graph/stages/pass_log.h"
#include "graph/stages/scheduled_group.h"
#include "graph/stages/tensor_storage.h"
#include "tensordsl/program.h"

namespace tensordsl::graph {

/// Each member is empty until the pass that fills it has run.
struct Graph {
  definitions::DefinitionGraph definitions;
  std::vector<std::string> on_host;  ///< the reason why the host computes each tensor, or an empty text
  std::vector<definitions::FusedGroup> fused;  ///< all of them, before those that need no kernel went
  std::vector<definitions::FusedGroup>
      placed;  ///< groups that need a kernel, or the host, before sliding windows are fused
  std::vector<definitions::FusedGroup> groups;  ///< the groups of `placed`, some of them joined
  TensorStorage storage;
  std::optional<ImageLimits> image_limits;  ///< none: no tensor becomes an image
  std::vector<ScheduledGroup> scheduled;    ///< the scheduled groups, by group
  std::vector<LoweredGroup> lowered;        ///< the lowered groups, by group
  Program program;                          ///< the launches of one group after the other
  Fallbacks fallbacks;
  PassRecords log;  ///< empty if it was not requested
};

/// The context of a pass besides the graph.
struct GraphContext {
  const CompileOptions& options;
  PassNotes* notes = nullptr;  ///< null: not requested
};

/// Returns the name (DefinedTensor::name) of the first tensor that the group Graph::groups[place] stores.
const std::string& stored_name(const Graph& graph, std::size_t place);

/// Returns the fusion barriers: the tensors of the host and of loops, and `apart`, the names of tensors that
/// stay unfused.
FusionBarriers barriers_of(const Graph& graph, const std::set<std::string>& apart);

}  // namespace tensordsl::graph

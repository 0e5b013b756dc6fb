// A graph of Funcs as a Program: the order of the passes.
#pragma once

#include <set>
#include <string>

#include "definitions/definition_graph.h"
#include "graph/define_group.h"
#include "graph/lower_groups.h"
#include "graph/pass_log.h"
#include "graph/plan_storage.h"
#include "tensordsl/optimizations.h"
#include "tensordsl/program.h"

namespace tensordsl {

struct CompileOptions : LoweringOptions {
  Precision precision = Precision::Float32;
  Optimizations optimizations;
};

/// A graph that is cut into groups, with a place for each tensor.
struct PlannedGraph {
  DefinitionGraph graph;
  std::vector<std::string> on_host;  ///< by tensor, as choose_host gives it
  std::vector<Group> fused;          ///< all of them
  std::vector<Group> placed;         ///< those that need a kernel, or the host
  std::vector<Group> groups;         ///< the same, some of them as one
  TensorStorage storage;
  std::set<std::size_t> winograd;  ///< tensors that use_winograd has changed
  /// Tensors (DefinedTensor::name) whose kernels have the strategy that stands in for the first one.
  std::set<std::string> stood_in;
};

/// With everything that led to the Program.
struct CompiledGraph : PlannedGraph {
  std::vector<ScheduledGroup> scheduled;  ///< by group
  std::vector<LoweredGroup> lowered;      ///< by group
  Program program;                        ///< the launches of one group after the other
};

/// `log`, if it is asked for: the passes over the graph.
CompiledGraph compile_in_full(DefinitionGraph graph, const CompileOptions& options,
                              PassRecords* log = nullptr);
Program compile_graph(DefinitionGraph graph, const CompileOptions& options);

/// One stage of the compilation as text. Of the whole graph: "classes" (what each Func does), "groups",
/// "layouts"; of every group whose label, output or kernel's name contains `filter`, also "funcs", "nest",
/// "loops", "ir", "cl". Empty if no group does.
std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter);

}  // namespace tensordsl

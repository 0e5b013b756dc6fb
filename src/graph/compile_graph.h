// A graph of Funcs as a Program: the order of the passes.
#pragma once

#include <string>

#include "definitions/definition_graph.h"
#include "graph/choose_images.h"
#include "graph/lower_groups.h"
#include "graph/pass_log.h"
#include "graph/planned_graph.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// With everything that led to the Program.
struct CompiledGraph : PlannedGraph {
  std::vector<ScheduledGroup> scheduled;  ///< by group
  std::vector<LoweredGroup> lowered;      ///< by group
  ImageUse images;                        ///< those that the device did not refuse
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

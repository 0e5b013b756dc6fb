// A graph of Funcs as a Program: the order of the passes.
#pragma once

#include <string>

#include "definitions/definition_graph.h"
#include "graph/define_group.h"
#include "graph/lower_groups.h"
#include "tensordsl/optimizations.h"
#include "tensordsl/program.h"

namespace tensordsl {

struct CompileOptions : LoweringOptions {
  Precision precision = Precision::Float32;
  Optimizations optimizations;
};

Program compile_graph(DefinitionGraph graph, const CompileOptions& options);

/// One stage of the compilation as text. Of the whole graph: "classes" (what each Func does), "groups",
/// "layouts"; of every group whose label, output or kernel's name contains `filter`, also "funcs", "nest",
/// "loops", "ir", "cl". Empty if no group does.
std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter);

}  // namespace tensordsl

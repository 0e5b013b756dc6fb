// The Programs of groups   ->   one Program of the whole graph
// Needs: the program of each group, storage.  Gives: launches in order over tensors of the whole graph;
// kernels that are the same once; constants packed as their readers want them.
#pragma once

#include <memory>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/define_group.h"
#include "graph/lower_groups.h"
#include "graph/plan_storage.h"
#include "tensordsl/program.h"

namespace tensordsl {

Program assemble_program(const DefinitionGraph& graph, const TensorStorage& storage,
                         const std::vector<ScheduledGroup>& groups, const std::vector<LoweredGroup>& programs,
                         Precision precision);

}  // namespace tensordsl

// peak at y = relu(x), x is not needed any more   ->   y lies where x lay
// Needs: groups with layouts and keys, in order.  Gives: for some groups the operand that the output may be
// stored over, and keys that say so.
#pragma once

#include <vector>

#include "definitions/definition_graph.h"
#include "graph/lower_groups.h"
#include "graph/plan_storage.h"

namespace tensordsl {

/// Of the groups at the steps that need most memory, while that makes it less. Elsewhere it would gain
/// nothing, and a kernel whose arguments may be the same memory is a slower one: its loads wait for the
/// stores before them.
void choose_overwritten(const DefinitionGraph& graph, const TensorStorage& storage,
                        std::vector<ScheduledGroup>& groups);

}  // namespace tensordsl

// conv = sum of 3 x 3 terms; y = attention + conv   ->   one group: conv's Funcs are in its prologue
// Needs: groups, as fuse gives them.  Gives: the same tensors in fewer groups.
#pragma once

#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "graph/kept_apart.h"

namespace tensordsl {

/// A group of one sum of few terms, as of a depthwise convolution, goes into the prologue of the attention
/// that alone reads it, each element once, behind the average: the kernel that has the queries at hand
/// computes it beside that (schedules/attention.h).
std::vector<Group> take_in_sums(const DefinitionGraph& graph, std::vector<Group> groups,
                                const KeptApart& apart = {});

}  // namespace tensordsl

// 1x1 convolution -> depthwise convolution, two groups   ->   one group of two anchors
// Needs: groups and layouts.  Gives: the same tensors in fewer groups; those in between are not stored.
#pragma once

#include <set>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "graph/kept_apart.h"
#include "graph/plan_storage.h"
#include "schedules/target.h"

namespace tensordsl {

/// Windows of one channel, of a depthwise convolution or a pool, that slide over the result of a sum that
/// nothing else reads go into one group with it, where choose_sliding_tile (schedules/choose_sliding_tile.h)
/// says that this pays: the tensor between them is large, and few of its rows are computed twice. Then a few
/// rows of it are there at a time, in private memory (schedules/sliding_sums.h). `changed`: tensors whose
/// groups have a definition of their own (use_winograd), which stay.
std::vector<Group> slide_over_sums(const DefinitionGraph& graph, std::vector<Group> groups,
                                   const TensorStorage& storage, const std::set<std::size_t>& changed,
                                   const Target& target, const KeptApart& apart = {});

}  // namespace tensordsl

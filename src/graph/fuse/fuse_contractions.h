// mean -> product -> product, three groups of a few elements   ->   one group of three anchors
// Needs: groups, as fuse gives them.  Gives: the same tensors in fewer groups.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// A product whose factor is a small tensor that nothing else reads, made by sums too, goes into one group
/// with it, and so on along the chain, which begins with one sum: squeeze and excitation (Hu et al., CVPR
/// 2018, section 3), where a launch takes longer than its work. A group of them runs as one work-group for
/// each row (schedules/product/chained_sums.h), so there are no more than 8 rows, each of which reads all
/// constants again, no more than 4,096 elements between two, and no more terms in all than one unit adds up
/// in about a launch's time: 2^19 on a CPU, 64 for each work-item of a group elsewhere. (On an H100 a
/// work-group takes 0.1 us for a term of each item: regnety_032's means in such a group took 117 us.)
void fuse_contractions(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph

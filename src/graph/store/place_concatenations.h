// y(n, c, h, w) = select(c < 64, a(n, c, h, w), b(n, c - 64, h, w))   ->   a and b are stored as parts of y
// Needs: groups and layouts.  Gives: tensors whose memory is a part of another one's, with the layouts that
// say so ("n h w c+32", "n h w 64+c"): a concatenation whose operands are computed where they belong needs no
// kernel.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns the whole of each tensor that is stored as a part; changes the layouts of parts in `layouts`. A
/// part is computed by a group, is not an output of the graph, and is a part once. Leaves out wholes of more
/// than 16 parts, and tensors that are already `placed` in a whole.
std::map<std::size_t, std::size_t> place_concatenations(
    const definitions::DefinitionGraph& graph, const std::vector<definitions::FusedGroup>& groups,
    std::vector<Layout>& layouts, const std::map<std::size_t, std::size_t>& placed = {});

}  // namespace tensordsl::graph

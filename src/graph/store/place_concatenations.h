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

/// The whole of each tensor that is a part; the layouts of parts are changed in `layouts`. A tensor that is a
/// part is computed by a group, is no output of the graph, and is a part once. A whole of more than 16 parts
/// is left alone, and so is what is `placed`, by its whole, before.
std::map<std::size_t, std::size_t> place_concatenations(
    const definitions::DefinitionGraph& graph, const std::vector<definitions::FusedGroup>& groups,
    std::vector<Layout>& layouts, const std::map<std::size_t, std::size_t>& placed = {});

}  // namespace tensordsl::graph

// x stored as "h i d"; t(i, hd) = x(hd/64, i, hd%64)   ->   x stored as "i h d": t is another name for its
// memory
// Needs: groups, layouts, parts.  Gives: layouts in which layout transformations that use each element once
// move nothing.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Stores a row-major tensor that only unfused layout transformations read in the layout that all of them
/// would give it (graph/views/layout_of_source.h), a part of a larger tensor too: its kernel writes to other
/// locations, and their kernels are removed (graph/views/find_aliases.h). Its innermost dimension stays
/// innermost and whole, because a kernel writes along it. Inputs, constants, tensors that the host reads,
/// concatenations, and parts (`within`, by tensor its whole) keep their layouts. Source: SmartMem, section
/// 3.2.2, where writing is the cheaper end.
void propagate_layouts(const definitions::DefinitionGraph& graph,
                       const std::vector<definitions::FusedGroup>& groups,
                       const std::map<std::size_t, std::size_t>& within, std::vector<Layout>& layouts);

}  // namespace tensordsl::graph

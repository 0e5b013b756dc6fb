// x stored as "h i d"; t(i, hd) = x(hd/64, i, hd%64)   ->   x stored as "i h d": t is another name for its
// memory
// Needs: layouts.  Gives: layouts in which movements of whole dimensions move nothing.
#pragma once

#include <vector>

#include "definitions/definition_graph.h"
#include "tensordsl/layout.h"

namespace tensordsl {

/// A tensor that lies row-major, and that only movements read, which all want its dimensions in the same
/// other order with the same one innermost, is stored in that order: its kernel writes elsewhere, and theirs
/// go (graph/find_aliases.h). Inputs, constants, what the host reads, and what is put together from several
/// tensors stay as they are. Source: SmartMem, section 3.2.2, where writing is the cheaper end.
void absorb_movement(const DefinitionGraph& graph, std::vector<Layout>& layouts);

}  // namespace tensordsl

// present(b, h, t, d) = select(t < past, past_key(b, h, t, d), new(b, h, t - past, d))   ->   past_key, new
// and present are stored as "t b h d", all three in one memory: new begins at row `past` of it ("past+t b h
// d")
// Needs: groups and layouts.  Gives: tensors in the memory of an output that is the next value of a state,
// with the layouts that say so: a state that grows needs no kernel, and nothing of it is copied.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns the output in whose memory the state's input and the appended part are stored; changes the layouts
/// of the three in `layouts`. The dimension along which it grows is the outermost, so that the state keeps
/// its location. States with other outputs are not changed.
std::map<std::size_t, std::size_t> place_states(const definitions::DefinitionGraph& graph,
                                                const std::vector<definitions::FusedGroup>& groups,
                                                std::vector<Layout>& layouts);

}  // namespace tensordsl::graph

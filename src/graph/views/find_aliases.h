// y(d0, d1) = x(0, d1, 0, 0), x [1,1000,1,1]; t(i, h) = x(h, i), x stored as "i h"   ->   y and t are other
// names for the memory of x; x is in the memory of t if the host reads t
// Needs: layouts.  Gives: the tensors that need no kernel, and what is in whose memory.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

struct Aliases {
  std::map<std::size_t, std::size_t> sources;  ///< of each tensor that needs no kernel
  std::map<std::size_t, std::size_t> within;   ///< the tensor in whose memory another one is
};

/// The groups of one tensor whose elements lie in memory as those of another one do. The tensor is in that
/// one's memory. But where it is a part (`within`, by tensor its whole), or the host reads it and could not
/// read the other one's memory as it, the other one is in its memory, unless that has a place already. What a
/// loop hands on is written by a kernel.
Aliases find_aliases(const definitions::DefinitionGraph& graph,
                     const std::vector<definitions::FusedGroup>& groups, const std::vector<Layout>& layouts,
                     const std::map<std::size_t, std::size_t>& within = {});

}  // namespace tensordsl::graph

// y(d0, d1) = x(0, d1, 0, 0), x [1,1000,1,1]; t(i, h) = x(h, i), x stored as "i h"   ->   y and t are other
// names for the memory of x; x is in the memory of t if the host reads t
// Needs: layouts.  Gives: the tensors that need no kernel, and the tensors in whose memory they are.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

struct Aliases {
  std::map<std::size_t, std::size_t> sources;  ///< source of each tensor that needs no kernel
  std::map<std::size_t, std::size_t> within;   ///< the tensor in whose memory another one is
};

/// Finds groups of one tensor whose elements are at the same locations in memory as the source's. The tensor
/// becomes an alias in the source's memory. If it is a part (`within`, by tensor its whole), or the host
/// reads it and could not read the source's memory instead, the source is put into the tensor's memory,
/// unless it has a location already. A tensor that a loop passes on is written by a kernel.
Aliases find_aliases(const definitions::DefinitionGraph& graph,
                     const std::vector<definitions::FusedGroup>& groups, const std::vector<Layout>& layouts,
                     const std::map<std::size_t, std::size_t>& within = {});

}  // namespace tensordsl::graph

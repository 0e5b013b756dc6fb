// y(d0, d1) = x(0, d1, 0, 0), x [1,1000,1,1]; t(i, h) = x(h, i), x stored as "i h"   ->   y and t are other
// names for the memory of x
// Needs: layouts.  Gives: the tensors that need no kernel, each with the one whose memory it is.
#pragma once

#include <map>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/group.h"
#include "tensordsl/layout.h"

namespace tensordsl {

/// The source of each group of one tensor whose elements lie in memory as those of another one do. Where the
/// tensor is a part (`within`, by tensor its whole), the source is alone there: it is in the same place.
std::map<std::size_t, std::size_t> find_aliases(const DefinitionGraph& graph,
                                                const std::vector<Group>& groups,
                                                const std::vector<Layout>& layouts,
                                                const std::map<std::size_t, std::size_t>& within = {});

}  // namespace tensordsl

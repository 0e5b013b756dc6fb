// The definition of a tensor with those of others written into it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/stages/pass_log.h"

namespace tensordsl::graph {

/// The Funcs of the last of `tensors` over what is read of others, each after those it reads: what the
/// tensors accumulate, and the last one's own Func; everything pure between them is written out where it is
/// read.
std::vector<Func> composed_funcs(const definitions::DefinitionGraph& graph,
                                 const definitions::TensorFuncs& funcs, const std::set<std::size_t>& tensors);

struct Composition {
  std::set<std::size_t> tensors;
  const char* text = "";  ///< what all but the last are to it, for notes: "is a part of the rows of"
};

/// The graph with such Funcs in the place of each last tensor's, and without what no output needs any more.
definitions::DefinitionGraph with_compositions(definitions::DefinitionGraph graph,
                                               const std::map<std::size_t, Composition>& by_last,
                                               PassNotes* notes);

}  // namespace tensordsl::graph

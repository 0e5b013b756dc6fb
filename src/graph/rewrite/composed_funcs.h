// The definition of a tensor with the definitions of others inlined.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/stages/pass_log.h"

namespace tensordsl::graph {

/// Returns the Funcs of the last of `tensors` over the other tensors that they read, producers before
/// readers: the accumulated Funcs, and the last one's own Func. Everything pure between them is inlined.
std::vector<Func> composed_funcs(const definitions::DefinitionGraph& graph,
                                 const definitions::TensorFuncs& funcs, const std::set<std::size_t>& tensors);

struct Composition {
  std::set<std::size_t> tensors;
  const char* text = "";  ///< relation of the other tensors to the last, for notes: "is a part of the rows
                          ///< of"
};

/// Returns the graph with such Funcs in place of each last tensor's, and without the tensors that no output
/// needs any more.
definitions::DefinitionGraph with_compositions(definitions::DefinitionGraph graph,
                                               const std::map<std::size_t, Composition>& by_last,
                                               PassNotes* notes);

}  // namespace tensordsl::graph

// neg(x[i + 8]) and x[i] as the two parts of a whole, scaled: four tensors   ->   one
// Needs: a graph of Funcs.  Gives: the same outputs, in fewer tensors.
#pragma once

#include <set>
#include <string>

#include "definitions/definition_graph.h"
#include "graph/pass_log.h"

namespace tensordsl {

/// What is computed element by element, once, for one reader that is computed so too is written into the
/// reader's definition: the operands of a sum or product, where there are several such (of one fuse makes a
/// chain); and the parts of what is concatenated, if all parts are such, up to 8, and none is a
/// concatenation. Movements are taken in as parts alone. What a sum is stored through stays with the sum, and
/// no definition reads more than 12 tensors so. So rotary embeddings are one kernel. `kept` and `apart`: as
/// of compose_rows.
DefinitionGraph compose_parts(DefinitionGraph graph, const std::set<std::string>& kept,
                              const std::set<std::string>& apart = {}, PassNotes* notes = nullptr);

}  // namespace tensordsl

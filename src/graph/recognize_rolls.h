// a(i) = x(i + 3); b(i) = x(i); y(i) = select(i < 5, a(i), b(i - 5))   ->   y(i) = x((i + 3)%8)
// Needs: a simplified graph.  Gives: a tensor of two slices of one, that are all of it, as one movement.
#pragma once

#include <set>
#include <string>

#include "definitions/definition_graph.h"
#include "graph/pass_log.h"

namespace tensordsl {

/// The shifted windows of a Swin transformer, as they are exported: numpy's roll as slices, one behind the
/// other.
///
/// `kept`: kinds (Origin::kind) that stay.
DefinitionGraph recognize_rolls(DefinitionGraph graph, const std::set<std::string>& kept = {},
                                PassNotes* notes = nullptr);

}  // namespace tensordsl

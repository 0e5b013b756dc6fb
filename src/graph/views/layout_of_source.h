// y(t, c) = x(t/2%7, c/32, t/14*2 + t%2, c%32), y stored as "t c"   ->   "q/2 w q%2 h d" of x(w, h, q, d)
// Needs: a layout transformation and the layout of its result.  Gives: the layout of its source in which
// every element is where the layout transformation would put it.
#pragma once

#include <optional>
#include <vector>

#include "classify/movement.h"
#include "definitions/definition_graph.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns the layout of `source` in which it has the same memory as `moved`, which is stored as `layout`,
/// gaps included. Returns nullopt if there is none: elements are lost or doubled, or a gap is not a multiple
/// of the extent inside the cut.
std::optional<Layout> layout_of_source(const definitions::DefinedTensor& moved,
                                       const definitions::DefinedTensor& source, const Layout& layout);

/// Normalizes a layout: dimensions of extent 1 come first. Layouts with equal results put every element at
/// the same location.
Layout canonical(const Layout& layout, const std::vector<Expr>& extents);

}  // namespace tensordsl::graph

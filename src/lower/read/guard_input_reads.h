// for x in [0, 12) { store f[x] = in[x - 2] }, in: [8]
//   ->  for x in [0, 12) { store f[x] = select(0 <= x - 2 && x - 2 < 8, in[x - 2], 0) }
// Needs: one index per dimension; definitions that read inside their Inputs where anybody needs it.  Gives:
// nests that do so too for the points that are computed although nobody needs them: the corners of a box, of
// which the reads are a triangle, say.
#pragma once

#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// What a nest reads outside an Input, as far as constants tell.
struct OutsideRead {
  std::size_t dimension = 0;
  Expr begin, end;  // of all that is read in that dimension; undefined where nothing bounds an index
};

/// In the order of the dimensions. With `with_padding`, what the layout pads counts as inside.
std::vector<OutsideRead> outside_reads(const RootNest& nest, const ir::Function& input,
                                       bool with_padding = false);

/// The extent of an Input with what its layout pads.
Expr padded_extent(const ir::Function& input, std::size_t dimension);

/// The nests with a test around each read of which outside_reads() says that it may be outside.
PlacedFunctions guard_input_reads(PlacedFunctions placed, const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower

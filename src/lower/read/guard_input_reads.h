// for x in [0, 12) { store f[x] = in[x - 2] }, in: [8]
//   ->  for x in [0, 12) { store f[x] = select(0 <= x - 2 && x - 2 < 8, in[x - 2], 0) }
// Needs: one index per dimension; definitions whose needed reads are inside their Inputs.  Gives: nests that
// read inside their Inputs for unneeded points too: the corners of a box around a triangle of reads, say.
#pragma once

#include <string>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

/// A read outside an Input, if constants determine it.
struct OutsideRead {
  std::size_t dimension = 0;
  Expr begin, end;  // all that is read in that dimension; undefined where an index has no bound
};

/// Returns them in the order of the dimensions. `with_padding`: elements of the layout's padding count as
/// inside.
std::vector<OutsideRead> outside_reads(const RootNest& nest, const ir::Function& input,
                                       bool with_padding = false);

/// Returns the extent of an Input with its layout's padding.
Expr padded_extent(const ir::Function& input, std::size_t dimension);

/// Puts a test around each read that may be outside by outside_reads().
PlacedFunctions guard_input_reads(PlacedFunctions placed, const std::vector<ir::FunctionPtr>& functions);

}  // namespace tensordsl::lower

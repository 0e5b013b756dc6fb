// y(n, c, h, w) = .. x(n, r, h, w)*weights(c, r, 0, 0)
//   ->   y(n, c, hw) = .. x(n, r, hw)*weights(c, r, 0, 0)
// Needs: layouts.  Gives: the same elements at the same locations in memory. The result of a contraction
// without windows does not depend on the positions of pixels; as one dimension they leave fewer partial
// tiles. Merges one pair.
#pragma once

#include "definitions/stored_group.h"

namespace tensordsl::graph {

/// `group` itself if two neighboring dimensions are not read together everywhere.
definitions::StoredGroup merge_dimensions(definitions::StoredGroup group);

}  // namespace tensordsl::graph

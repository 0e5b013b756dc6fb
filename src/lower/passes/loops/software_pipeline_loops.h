// for k in [0, n) { alloc tile local { load tile[k%2]; use tile[k%2] } }   ->
// alloc tile local {
//   if (0 < n) { load tile[0] } barrier
//   for k in [0, n) {
//     alloc tile.next private {
//       if (k + 1 < n) { tile.next = what tile[(k + 1)%2] is to hold }
//       use tile[k%2]
//       if (k + 1 < n) { tile[(k + 1)%2] = tile.next }
//     }
//     barrier } }
// Software pipelining of double buffers.
// Needs: index names inlined, double_buffer() tiles of which the iterations of k use alternating halves.
// Gives: the reads of the next tile are in flight while this one is used, with one barrier for each step
// instead of two. The tiles of the result have their barriers; place_barriers does not add any. A tile that
// is computed in more than one step, whose extents change with k, or whose definition reads a result of the
// kernel is not pipelined, and only saves the barrier.
#pragma once

#include <set>
#include <string>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Pipelines the loads of `tiles`, the Funcs with double_buffer(). The result names the private copies and
/// the tiles with barriers.
KernelBody software_pipeline_loops(const KernelBody& kernel, const std::set<std::string>& tiles);

}  // namespace tensordsl::lower

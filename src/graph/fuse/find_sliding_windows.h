// sum: a contraction; window(h, w) += result(h + r, w + s)   ->   rows h, columns w, channels, sizes
// Needs: a group of both.  Gives: its form, if windows of one channel slide over the contraction's result.
#pragma once

#include <optional>
#include <vector>

#include "definitions/fused_group.h"
#include "tensordsl/layout.h"

namespace tensordsl::graph {

/// Returns the form of a group of two anchors, of which the second sums windows over the rows and columns of
/// the result of the first. `extents` and `layout` are the output's; the channels are last. Nullopt if the
/// group has another form, or an extent is not constant.
std::optional<definitions::SlidingForm> find_sliding_windows(const definitions::FusedGroup& group,
                                                             const std::vector<Expr>& extents,
                                                             const Layout& layout);

}  // namespace tensordsl::graph

// p(b, t, c) += x(b/8*7 + t/7, .., k)*w(k, c)   ->   moved(b, t, k) = x(b/8*7 + t/7, .., k);
//                                                  p(b, t, c) += moved(b, t, k)*w(k, c)
// Needs: a group with layouts.  Gives: the group with the layout transformation in its prologue, so that a
// tile of it can be staged in local memory: its indices are then sums of multiples of the product's axes.
#pragma once

#include "definitions/stored_group.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::graph {

/// Returns `group` itself if it is not a product whose first factor is moved so, or if no product is staged
/// on such devices anyway.
definitions::StoredGroup stage_views(definitions::StoredGroup group, const Target& target);

}  // namespace tensordsl::graph

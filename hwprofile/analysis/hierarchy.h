// Levels of a memory hierarchy from the time of an access over the footprint that is accessed.
#pragma once

#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// One level: a footprint of up to `capacity` costs `cost` an access.
struct HierarchyLevel {
  Figure capacity;  ///< bytes; of the last level, memory, which has no end that was seen, the largest footprint
  Figure cost;      ///< of an access, in the unit of the sweep
  bool has_end = false;
};

/// What was seen: at least one level. `points` are footprints in bytes, rounds the mean time of an access.
///
/// Beyond a capacity C a footprint S misses 1 - C/S of its accesses where lines are replaced at random, and all of them where the
/// line that is used next goes first (LRU, round after round); caches lie between. Both laws are fitted, with 0 to 4 capacities, and the
/// simplest fit that the noise does not refute is taken. A capacity is confident if the cost on both sides differs by far more than
/// the noise, the interval of capacities that fit as well is within 15 % of the best one, and both halves of the rounds show it.
std::vector<HierarchyLevel> find_levels(const Sweep& footprints);

}  // namespace tensordsl::hwprofile

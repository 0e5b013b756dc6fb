// Levels of a memory hierarchy from the time of an access over the footprint that is accessed.
#pragma once

#include <vector>

#include "hwprofile/analysis/sweep.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// One level: a footprint of up to `capacity` costs `cost` an access.
struct HierarchyLevel {
  Measurement
      capacity;  ///< bytes; of the last level, memory, which has no end that was seen, the largest footprint
  Measurement cost;  ///< cost of an access, in the unit of the sweep
  bool has_end = false;
};

/// Finds the levels of a memory hierarchy: at least one. `points` are footprints in bytes, rounds the mean
/// time of an access.
///
/// Beyond a capacity C a footprint S misses 1 - C/S of its accesses if lines are replaced at random, and all
/// of them if the line that is used next goes first (LRU, round after round). If pages have random physical
/// addresses, and an address there chooses the set, some sets overflow before the cache is full: of W ways, a
/// share P(Poisson(W S/C) >= W) of the reads misses. All three laws are fitted, with 0 to 4 capacities at
/// least 2.5 times apart, and the simplest fit that the noise does not refute is taken. A capacity is
/// confident if the cost on both sides differs by far more than the noise, and the interval of capacities
/// that fit as well is within 15 % of the best one.
std::vector<HierarchyLevel> find_levels(const Sweep& footprints);

/// Returns the footprints to measure after a first sweep from `first` to `last`: a coarse grid, and a fine
/// one around the capacities that were seen.
std::vector<double> footprints_around(const std::vector<HierarchyLevel>& seen, double first, double last);

}  // namespace tensordsl::hwprofile

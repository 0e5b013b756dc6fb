// Sums of products of f16 in f16, some steps at a time; these are added up in f32.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// The steps in one partial sum: one step of each of the `outer_axes` outer axes, `steps` of the axis after
/// them, and all of the others.
struct HalfSums {
  std::size_t outer_axes = 0;
  std::string divided;  ///< the axis after them; empty: all steps of every axis
  int steps = 0;
};

/// Returns the parts if the device computes f16 at a higher rate and both factors are stored as f16.
std::optional<HalfSums> half_sums(const definitions::StoredGroup& group,
                                  const classify::Classification& anchor, const Target& target);

/// The Func of the parts; the sum is left with loops over these.
Func sum_in_half(Func sum, const HalfSums& halves);

/// Returns the name that an axis of the sum has within a part.
std::string axis_in_part(const std::string& axis, const HalfSums& halves);

/// A target for tiles whose sums are f16: twice the numbers in a vector.
Target for_halves(const Target& target);

}  // namespace tensordsl::schedules

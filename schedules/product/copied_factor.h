// The factor of a tile that has no channels, copied some steps at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classify/classify.h"
#include "definitions/stored_group.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// The factor without channels, in a buffer that is contiguous along an axis of the sum: a tile reads it
/// element by element, unless it has a copy of some steps.
struct CopiedFactor {
  Func factor;  ///< an Input, or one of the prologue
  bool is_input = true;
  int dim = 0;  ///< dimension of the factor along the axis
  std::string axis;
  std::int64_t steps = 0;  ///< extent of the axis
};

/// Finds the factor to copy. If a thread runs a work-group: a factor of f16, which each multiply-add would
/// convert again; elsewhere a factor that is read in vectors along an innermost axis.
std::optional<CopiedFactor> copied_factor(const definitions::StoredGroup& group,
                                          const classify::Classification& anchor, const Target& target);

/// Returns the numbers of steps that may be copied at a time: 0, none; else divisors of all steps that are
/// whole vectors. The default comes first. `elements`: of the factor, that a tile needs for a step.
std::vector<int> copied_steps(const definitions::StoredGroup& group, const classify::Classification& anchor,
                              std::int64_t elements, const Target& target);

}  // namespace tensordsl::schedules

// g.compute_with(f, y):   kernel f { for y { f } }  kernel g { for y { g } }   ->
// kernel f { for y { f  g } }
// A companion is a stage that compute_with puts into the loops of another one.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lower/stages.h"

namespace tensordsl::lower {

class CompanionFuser {
 public:
  /// Keeps references to both.
  CompanionFuser(const std::vector<Producer>& producers, PlacedFunctions& placed)
      : producers_(producers), placed_(placed) {}

  /// Fuses the stages that compute_with names, as soon as both are placed. Throws ScheduleError if they
  /// cannot share loops.
  void fuse();
  /// Checks, after placement, that every compute_with was obeyed. Throws ScheduleError otherwise.
  void check() const;

 private:
  using NestPlace = std::vector<RootNest>::iterator;

  NestPlace nest_of(const std::string& function, int stage);
  void fuse(const schedule::ScheduledFunction& function, int stage, NestPlace own, NestPlace other);
  const schedule::ScheduledFunction& function_named(const std::string& name) const;
  bool is_computed(const std::string& function) const;

  const std::vector<Producer>& producers_;
  PlacedFunctions& placed_;
  std::set<std::pair<std::string, int>> fused_;  // stages that run in the loops of others
};

}  // namespace tensordsl::lower

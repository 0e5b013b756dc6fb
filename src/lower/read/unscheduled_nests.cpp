#include "lower/read/unscheduled_nests.h"

#include <deque>

#include "lower/place/place_functions.h"

namespace tensordsl::lower {

PlacedFunctions place_unscheduled(const std::vector<Producer>& producers, BoundsKept kept) {
  std::deque<schedule::ScheduledFunction> plain;
  std::vector<Producer> copies = producers;
  for (Producer& p : copies) {
    plain.push_back(*p.function);
    p.function = &plain.back();
    plain.back().schedule.level = schedule::ComputeLevel{schedule::ComputeLevel::Kind::Root, {}, 0, {}};
    if (!p.is_output && kept == BoundsKept::OfOutput) plain.back().schedule.bounds.clear();
    for (std::size_t stage = 0; stage < plain.back().stages.size(); ++stage) {
      plain.back().stages[stage] = schedule::default_stage(plain.back(), plain.back().definitions[stage]);
    }
  }
  return place_functions(copies);
}

}  // namespace tensordsl::lower

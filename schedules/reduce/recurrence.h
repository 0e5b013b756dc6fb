// Funcs of which each step reads all that the step before wrote, such as the states of a recurrent network:
// a work-group computes all steps of an independent part, and its work-items the elements of a step.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// True for groups with one anchor that is updated step by step along its outermost axis, if each step has an
/// axis of constant extent whose elements are independent. Knobs: `items`, the size of a work-group; on
/// devices where that is 1, `lanes`, the vector width, and `vectors`, the vectors that are accumulated
/// together.
bool applies_recurrence(const definitions::StoredGroup& group, const Target& target);
Space recurrence_space(const definitions::StoredGroup& group, const Target& target);
/// Stores constants that are read along the elements in the order in which the elements are computed.
WantedStorage recurrence_storage(const definitions::StoredGroup& group, const Point& point);
void apply_recurrence(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy recurrence() {
  return {"recurrence", applies_recurrence, recurrence_space, recurrence_storage, apply_recurrence};
}

}  // namespace tensordsl::schedules

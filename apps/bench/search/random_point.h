// Random configurations of a strategy.
#pragma once

#include <random>

#include "schedules/strategies.h"

namespace tensordsl::bench {

/// Builds a point with one knob after another at random.
inline schedules::Point random_point(const schedules::Space& space, std::mt19937& random) {
  schedules::Point point = space.first;
  for (const schedules::Knob& knob : space.knobs)
    point.set(knob.name, knob.values[random() % knob.values.size()]);
  return point;
}

}  // namespace tensordsl::bench

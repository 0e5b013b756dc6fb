#include "tune/rank/near_points.h"

#include <algorithm>
#include <cstdlib>

namespace tensordsl::tune {
namespace {

using schedules::Knob;
using schedules::Point;

struct Step {
  std::string knob;
  int value = 0;
  std::ptrdiff_t distance = 0;  // in values of the knob
};

std::vector<Step> steps_from(const Point& first, const Knob& knob) {
  const auto at = std::ranges::find(knob.values, first[knob.name]);
  std::vector<Step> steps;
  for (auto value = knob.values.begin(); value != knob.values.end(); ++value) {
    if (value != at) steps.push_back({knob.name, *value, std::abs(value - at)});
  }
  return steps;
}

}  // namespace

std::vector<Point> near_points(const schedules::Space& space, std::size_t most) {
  std::vector<Step> steps;
  for (const Knob& knob : space.knobs) {
    for (Step& step : steps_from(space.first, knob)) steps.push_back(std::move(step));
  }
  std::ranges::stable_sort(steps, {}, &Step::distance);
  std::vector<Point> points{space.first};
  for (const Step& step : steps) {
    Point point = space.first;
    point.set(step.knob, step.value);
    points.push_back(std::move(point));
  }
  for (std::size_t i = 0; i < steps.size() && points.size() < most; ++i) {
    for (std::size_t j = 0; j < i && points.size() < most; ++j) {
      if (steps[i].knob == steps[j].knob) continue;
      Point point = space.first;
      point.set(steps[i].knob, steps[i].value);
      point.set(steps[j].knob, steps[j].value);
      points.push_back(std::move(point));
    }
  }
  if (points.size() > most) points.resize(std::max<std::size_t>(1, most));
  return points;
}

}  // namespace tensordsl::tune

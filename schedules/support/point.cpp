#include "schedules/support/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tensordsl/error.h"

namespace tensordsl::schedules {

int Point::operator[](std::string_view knob) const {
  const auto found = values_.find(knob);
  if (found == values_.end())
    throw ScheduleError(fmt::format("the point \"{}\" has no value for \"{}\"", to_string(*this), knob));
  return found->second;
}

std::string to_string(const Point& point) {
  std::string text;
  for (const auto& [name, value] : point.values())
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

Point parse_point(std::string_view text) {
  Point point;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const std::size_t equals = word.find('=');
    int value = 0;
    const char* last = word.data() + word.size();
    const bool has_both = equals != std::string_view::npos && equals > 0;
    const auto parsed = has_both ? std::from_chars(word.data() + equals + 1, last, value)
                                 : std::from_chars_result{nullptr, std::errc::invalid_argument};
    if (parsed.ec != std::errc{} || parsed.ptr != last)
      throw ParseError(
          fmt::format("a point must have the form \"name=number name=number\", found \"{}\"", word));
    const std::string name(word.substr(0, equals));
    if (point.values().contains(name))
      throw ParseError(fmt::format("the point \"{}\" gives \"{}\" twice", text, name));
    point.set(name, value);
    at = end;
  }
  return point;
}

std::int64_t number_of_points(const Space& space) {
  std::int64_t points = 1;
  for (const Knob& knob : space.knobs) points *= static_cast<std::int64_t>(knob.values.size());
  return points;
}

void for_each_point(const Space& space, const std::function<void(const Point&)>& f) {
  if (number_of_points(space) == 0) return;
  Point point;
  for (const Knob& knob : space.knobs) point.set(knob.name, knob.values.front());
  std::vector<std::size_t> at(space.knobs.size());
  for (;;) {
    f(point);
    std::size_t knob = space.knobs.size();
    // Advances like an odometer: a knob that is at its last value restarts, and the one before it advances.
    while (knob > 0 && at[knob - 1] + 1 == space.knobs[knob - 1].values.size()) {
      --knob;
      at[knob] = 0;
      point.set(space.knobs[knob].name, space.knobs[knob].values.front());
    }
    if (knob == 0) return;
    ++at[knob - 1];
    point.set(space.knobs[knob - 1].name, space.knobs[knob - 1].values[at[knob - 1]]);
  }
}

bool needs_no_less(const std::vector<Knob>& knobs, const std::vector<int>& values,
                   const std::vector<int>& others) {
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    if (values[i] == others[i] || knobs[i].needs == Knob::Needs::AsMuch) continue;
    if (knobs[i].needs == Knob::Needs::Any || values[i] < others[i]) return false;
  }
  return true;
}

bool contains(const Space& space, const Point& point) {
  return point.values().size() == space.knobs.size() &&
         std::ranges::all_of(space.knobs, [&](const Knob& knob) {
           const auto value = point.values().find(knob.name);
           return value != point.values().end() && std::ranges::count(knob.values, value->second) > 0;
         });
}

}  // namespace tensordsl::schedules

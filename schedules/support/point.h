// A configuration of a strategy for one kernel: named integers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::schedules {

class Point {
 public:
  Point() = default;
  Point(std::initializer_list<std::pair<const std::string, int>> values) : values_(values) {}

  /// Returns the value of a knob. Throws ScheduleError if the configuration has no such knob.
  int operator[](std::string_view knob) const;
  void set(const std::string& knob, int value) { values_.insert_or_assign(knob, value); }
  const std::map<std::string, int, std::less<>>& values() const { return values_; }

  friend bool operator==(const Point&, const Point&) = default;

 private:
  std::map<std::string, int, std::less<>> values_;
};

/// "lanes=16 pixels=7 vectors=2": in alphabetical order.
std::string to_string(const Point& point);
/// Parses the text that to_string() writes. Throws ParseError.
Point parse_point(std::string_view text);

/// A number that a strategy leaves open, and the values that it may have.
struct Knob {
  std::string name;
  std::vector<int> values;
  /// True if the static resource estimate (point_outline.h) depends on it.
  bool is_outlined = true;
  /// The registers and the instructions of the text at a larger value, all other knobs being equal.
  enum class Needs { Any, AsMuch, NoLess } needs = Needs::Any;
};

/// The configurations of a strategy for one kernel: each knob has one of its values. Some combinations may
/// still be refused by the directives.
struct Space {
  std::vector<Knob> knobs;
  Point first;  ///< the one that an analytic model takes, without a trial
};

/// The product of the numbers of values.
std::int64_t number_of_points(const Space& space);
/// Calls `f` with each configuration, the last knob changing fastest.
void for_each_point(const Space& space, const std::function<void(const Point&)>& f);

/// True if a configuration needs no fewer registers and no shorter text than another one, by what the knobs
/// say. Both give their values in the order of the knobs.
bool needs_no_less(const std::vector<Knob>& knobs, const std::vector<int>& values,
                   const std::vector<int>& others);

/// True if the configuration has exactly the knobs of the space, each with one of its values.
bool contains(const Space& space, const Point& point);

}  // namespace tensordsl::schedules

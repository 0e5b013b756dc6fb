// From values to pixels.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::hwprofile {

/// "footprint" and "B" of "footprint (B)"; an axis that is nothing but a unit, such as "GB/s", is its own
/// name and unit.
std::string name_of(const std::string& axis);
std::string unit_of(const std::string& axis);

class Axis {
 public:
  /// Values `low` to `high`, over 0, between the pixels `first` and `last`. Logarithmic if they span a factor
  /// of thirty and more; else from 0 if that is not far.
  Axis(double low, double high, double first, double last, const std::string& unit);

  /// In pixels; values beyond the ends lie on the ends.
  double place(double value) const;
  /// Round values, at most nine.
  std::vector<double> ticks() const;

 private:
  /// A power of two of bytes, else 1, 2 or 5 of a power of ten.
  double round_step(double least) const;

  double low_, high_, first_, last_;
  bool is_logarithmic_, is_binary_;
};

}  // namespace tensordsl::hwprofile

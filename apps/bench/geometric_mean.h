// The geometric mean of ratios.
#pragma once

#include <cmath>

namespace tensordsl::bench {

class GeometricMean {
 public:
  void add(double value) {
    sum_ += std::log(value);
    ++count_;
  }
  int count() const { return count_; }
  /// Returns the mean. Needs: a value.
  double value() const { return std::exp(sum_ / count_); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace tensordsl::bench

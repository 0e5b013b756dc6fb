// Time as a test wants it.
#pragma once

#include <memory>

namespace tensordsl::hwprofile {

/// A Clock whose copies show the same time. It advances by a microsecond with each reading, so that a wait
/// ends, and by the time that the test adds.
class TestClock {
 public:
  double operator()() const { return *now_ += 1e-6; }
  void advance(double seconds) const { *now_ += seconds; }

 private:
  std::shared_ptr<double> now_ = std::make_shared<double>(0);
};

}  // namespace tensordsl::hwprofile

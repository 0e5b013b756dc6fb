// Time as a test wants it.
#pragma once

#include <memory>

namespace tensordsl::hwprofile {

/// A Clock whose copies show the same time. It goes on by a microsecond whenever somebody looks, so that what
/// waits for a time ends, and by what the test adds.
class TestClock {
 public:
  double operator()() const { return *now_ += 1e-6; }
  void advance(double seconds) const { *now_ += seconds; }

 private:
  std::shared_ptr<double> now_ = std::make_shared<double>(0);
};

}  // namespace tensordsl::hwprofile

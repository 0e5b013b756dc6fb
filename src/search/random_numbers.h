// Numbers that look random, the same on every machine for the same seed: the standard library's distributions
// are not.
#pragma once

#include <cstdint>
#include <random>

namespace tensordsl::search {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : engine_(seed) {}

  /// In [0, end). Needs: end > 0.
  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  /// In [0, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  bool with_probability(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tensordsl::search

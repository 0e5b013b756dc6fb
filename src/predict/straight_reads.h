// How often straight-line code waits for what it reads.
#pragma once

#include <algorithm>
#include <cmath>

namespace tensordsl::predict {

/// Returns the registers that hold a read of that many bytes.
inline double registers_of(int bytes) {
  constexpr int kRegister = 4;  // bytes
  return std::ceil(static_cast<double>(bytes) / kRegister);
}

/// The reads of one piece of straight-line code. Compilers begin them all, then wait once; what no register
/// is left for begins after the wait.
class StraightReads {
 public:
  /// Adds reads into that many registers. Returns the waits that they add. `most`: registers of a work-item.
  double add(double registers, double most) {
    const double before = waits_of(most);
    registers_ += registers;
    return waits_of(most) - before;
  }

 private:
  double waits_of(double most) const { return registers_ > 0 ? std::max(1.0, registers_ / most) : 0; }

  double registers_ = 0;
};

}  // namespace tensordsl::predict

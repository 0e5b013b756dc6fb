// The difference of a tensor from its expected value.
#pragma once

#include <cstdint>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::cli {

struct Difference {
  std::vector<std::int64_t> expected_shape;  ///< shape of the expected tensor; if it differs, nothing else is
                                             ///< known
  bool has_shape = true;
  double largest = 0;  ///< infinite where one of the two is NaN, or infinite, and the other not so
  std::vector<std::int64_t> place;  ///< index of the largest difference, if it is not 0
  double expected = 0, found = 0;   ///< there
  double allowed = 0;               ///< rtol times the largest finite |expected|
  std::int64_t elements = 0;
  std::int64_t differing = 0;  ///< elements that differ by more than is allowed
  std::int64_t expected_nan = 0, found_nan = 0;

  bool holds() const { return has_shape && differing == 0; }
};

/// NaN agrees with NaN.
Difference difference(const Buffer& found, const Buffer& expected, double rtol);

}  // namespace tensordsl::cli

// Outputs against expected outputs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::cli {

struct Comparison {
  std::string output;
  double max_difference = 0;  ///< NaN and missing agreement on infinities count as infinite
  double max_expected = 0;
  bool holds = false;  ///< max_difference <= rtol * max_expected
};

/// Compares each output, in order, with that in `expected`, which has the same shape.
std::vector<Comparison> compare(const std::map<std::string, Buffer>& outputs,
                                const std::map<std::string, Buffer>& expected, double rtol);

}  // namespace tensordsl::cli

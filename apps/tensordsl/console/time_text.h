// Times of kernels as text, with enough digits for short ones.
#pragma once

#include <string>

namespace tensordsl::cli {

/// Returns the number without a unit: one decimal, and three significant digits under 10 us.
std::string microseconds_text(double us);
/// Returns the number without a unit: three decimals, and three significant digits under 0.1 ms.
std::string milliseconds_text(double ms);

}  // namespace tensordsl::cli

#include "apps/tensordsl/console/time_text.h"

#include <fmt/format.h>

namespace tensordsl::cli {
namespace {

constexpr int kMostDecimals = 6;

/// Adds a decimal for each power of ten that the number is below `least`, to keep its significant digits.
std::string with_decimals(double number, int decimals, double least) {
  for (; number > 0 && number < least && decimals < kMostDecimals; least /= 10) ++decimals;
  return fmt::format("{:.{}f}", number, decimals);
}

}  // namespace

std::string microseconds_text(double us) { return with_decimals(us, 1, 10); }

std::string milliseconds_text(double ms) { return with_decimals(ms, 3, 0.1); }

}  // namespace tensordsl::cli

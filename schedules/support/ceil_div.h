// Division that rounds up.
#pragma once

#include <cstdint>

namespace tensordsl::schedules {

/// Of numbers that are not negative; b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace tensordsl::schedules

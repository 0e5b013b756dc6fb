// Writes a count with its noun, in the singular or the plural.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>

namespace tensordsl {

/// Returns "1 launch" for counted(1, "launch", "launches"), and the plural for every other count.
template <std::integral Count>
std::string counted(Count count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

}  // namespace tensordsl

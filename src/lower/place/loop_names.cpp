#include "lower/place/loop_names.h"

#include <fmt/format.h>

#include "base/lexer.h"

namespace tensordsl::lower {

namespace {

constexpr char kSeparator = '.', kEscape = '\\';

/// Escapes the name of an axis that could be mistaken for the number of a stage.
std::string escaped(const std::string& axis) {
  const bool is_clear = axis.empty() || (!is_digit(axis[0]) && axis[0] != kEscape);
  return is_clear ? axis : kEscape + axis;
}

}  // namespace

std::string loop_name(const std::string& function, int stage, const std::string& axis) {
  return stage == 0 ? fmt::format("{}.{}", function, escaped(axis))
                    : fmt::format("{}.{}.{}", function, stage, escaped(axis));
}

bool is_pure_loop_of(const std::string& function, const std::string& loop) {
  const std::string prefix = function + kSeparator;
  return loop.starts_with(prefix) && loop.size() > prefix.size() && !is_digit(loop[prefix.size()]);
}

}  // namespace tensordsl::lower

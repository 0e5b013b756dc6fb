#include "lower/loop_names.h"

#include <fmt/format.h>

namespace tensordsl::lower {

namespace {

constexpr char kSeparator = '.', kEscape = '\\';

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string escaped(const std::string& name, bool is_axis) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool looks_like_stage = is_axis && i == 0 && is_digit(name[i]);
    if (name[i] == kSeparator || name[i] == kEscape || looks_like_stage) result += kEscape;
    result += name[i];
  }
  return result;
}

}  // namespace

std::string loop_name(const std::string& function, int stage, const std::string& axis) {
  const std::string f = escaped(function, false), a = escaped(axis, true);
  return stage == 0 ? fmt::format("{}.{}", f, a) : fmt::format("{}.{}.{}", f, stage, a);
}

bool is_pure_loop_of(const std::string& function, const std::string& loop) {
  const std::string prefix = escaped(function, false) + kSeparator;
  return loop.starts_with(prefix) && loop.size() > prefix.size() && !is_digit(loop[prefix.size()]);
}

}  // namespace tensordsl::lower

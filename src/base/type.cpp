#include "tensordsl/type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace tensordsl {
namespace {

constexpr std::array<std::pair<std::string_view, Type>, 12> kNames{{
    {"f16", Float(16)},
    {"f32", Float(32)},
    {"f64", Float(64)},
    {"i8", Int(8)},
    {"i16", Int(16)},
    {"i32", Int(32)},
    {"i64", Int(64)},
    {"u8", UInt(8)},
    {"u16", UInt(16)},
    {"u32", UInt(32)},
    {"u64", UInt(64)},
    {"bool", Bool()},
}};

}  // namespace

std::string to_string(Type type) {
  for (const auto& [name, known] : kNames) {
    if (known == type.element()) {
      return type.lanes == 1 ? std::string(name) : fmt::format("{}x{}", name, type.lanes);
    }
  }
  return fmt::format("?{}x{}", type.bits, type.lanes);
}

std::optional<Type> parse_type(std::string_view text) {
  for (const auto& [name, type] : kNames) {
    if (!text.starts_with(name)) continue;
    const std::string_view rest = text.substr(name.size());
    if (rest.empty()) return type;
    int lanes = 0;
    const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), lanes);
    if (rest[0] == 'x' && error == std::errc{} && end == rest.data() + rest.size() && lanes > 1 &&
        lanes <= 4096) {
      return type.with_lanes(lanes);
    }
  }
  return std::nullopt;
}

bool is_supported(Type type) {
  for (const auto& [name, known] : kNames) {
    if (known == type.element()) return true;
  }
  return false;
}

std::string supported_types() {
  std::string names;
  for (const auto& [name, type] : kNames) {
    if (!names.empty()) names += name == kNames.back().first ? " and " : ", ";
    names += name;
  }
  return names;
}

}  // namespace tensordsl

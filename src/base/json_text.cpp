#include "base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tensordsl/error.h"

namespace tensordsl {
namespace {

constexpr int kMostLevels = 64;

/// Returns the deepest nesting of brackets outside of strings.
int levels_of(std::string_view text) {
  int now = 0, most = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_string = !is_string;
    } else if (!is_string && (c == '[' || c == '{')) {
      most = std::max(most, ++now);
    } else if (!is_string && (c == ']' || c == '}')) {
      --now;
    }
  }
  return most;
}

}  // namespace

nlohmann::ordered_json parse_json(std::string_view text) {
  if (levels_of(text) > kMostLevels)
    throw ParseError(fmt::format("lists and objects are nested more than {} levels deep", kMostLevels));
  return nlohmann::ordered_json::parse(text);
}

nlohmann::ordered_json parse_json_or_discard(std::string_view text) {
  if (levels_of(text) > kMostLevels) return nlohmann::ordered_json::value_t::discarded;
  return nlohmann::ordered_json::parse(text, nullptr, false);
}

std::string dump_json(const nlohmann::ordered_json& json, int indent, InvalidUtf8 invalid) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  return json.dump(indent, ' ', false, invalid == InvalidUtf8::Replace ? Handler::replace : Handler::strict);
}

}  // namespace tensordsl

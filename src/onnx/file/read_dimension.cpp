#include "onnx/file/read_dimension.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/lexer.h"
#include "base/text/printable.h"
#include "ir/text/parse.h"
#include "ops/size_of.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ops::Size;

/// Replaces the characters in a name that a Param may not have.
std::string param_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += is_letter(c) || is_digit(c) ? c : '_';
  if (result.empty() || !is_letter(result[0])) result = "d" + result;
  // Definitions and schedules call their loops n, d0, co and the like, and these.
  constexpr std::array<std::string_view, 4> kLoops{"item", "linear", "place", "rows"};
  const std::string word = result.substr(0, result.find_last_not_of("0123456789") + 1);
  const bool is_short = result.size() <= 3 && result[0] >= 'a';
  return is_short || std::ranges::find(kLoops, word) != kLoops.end() ? result + "_size" : result;
}

}  // namespace

Size Dimensions::read(const std::string& own_name, const std::string& text) {
  const bool is_named = !text.empty() && text.find_first_not_of("? ") != std::string::npos;
  if (is_named && given_.contains(own_name)) has_own_size_.emplace(text, own_name);
  if (!is_named || given_.contains(own_name)) return named(own_name);
  if (given_.contains(text)) return named(text);
  try {
    const auto size =
        ops::size_of(ir::parse_expr(text), [&](const std::string& name) { return named(name); });
    if (size) return *size;
  } catch (const ParseError&) {
    // The text is not arithmetic, so it is a name.
  }
  return named(text);
}

Size Dimensions::named(const std::string& name) {
  // Accepts the model's name and the Param's name, which messages show.
  const std::string key = given_.contains(name) ? name : param_name(name);
  met_.insert(key);
  if (const auto given = given_.find(key); given != given_.end()) {
    if (given->second < 0) {
      throw ModelError(fmt::format("the symbolic dimension {} has the size {}; it must not be negative",
                                   printable(name), given->second));
    }
    return given->second;
  }
  if (const auto known = params_.find(name); known != params_.end()) return Size::symbol(known->second);
  std::string param = param_name(name);
  const auto is_taken = [&](const auto& other) { return other.second == param; };
  while (std::ranges::any_of(params_, is_taken)) param += "_";
  params_.emplace(name, param);
  return Size::symbol(param);
}

void Dimensions::check_given_are_used() const {
  for (const auto& [name, size] : given_) {
    if (met_.contains(name)) continue;
    if (const auto own = has_own_size_.find(name); own != has_own_size_.end()) {
      throw ModelError(fmt::format("the dimension {} has the sizes {} = {} and {} = {}; drop one of them",
                                   own->second, own->second, given_.at(own->second), printable(name), size));
    }
    throw ModelError(
        fmt::format("no input has the symbolic dimension {}, for which {} is given", name, size));
  }
}

}  // namespace tensordsl::onnx

// Integers in JSON: a number of another kind or size is refused, where nlohmann's library converts it
// somehow.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "base/json_text.h"
#include "tensordsl/error.h"

namespace tensordsl {

/// Returns a value for messages, or its type if it is a list or an object, which may be nested deeper than
/// the stack.
inline std::string word_of(const nlohmann::ordered_json& j) {
  return j.is_structured() ? std::string("an ") + j.type_name() : dump_json(j);
}

/// Returns `j` as an Integer. Throws ParseError if it is not an integer that fits Integer.
template <typename Integer>
Integer integer_of(const nlohmann::ordered_json& j) {
  if (!j.is_number_integer()) throw ParseError("expected an integer, found " + word_of(j));
  const bool fits = j.is_number_unsigned() ? std::in_range<Integer>(j.get<std::uint64_t>())
                                           : std::in_range<Integer>(j.get<std::int64_t>());
  if (!fits)
    throw ParseError(fmt::format("expected a number of type {}{}, found {}",
                                 std::is_signed_v<Integer> ? "i" : "u", 8 * sizeof(Integer), dump_json(j)));
  return j.get<Integer>();
}

}  // namespace tensordsl

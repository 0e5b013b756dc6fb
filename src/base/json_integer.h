// Integers in JSON: a number of another kind or size is refused, where nlohmann's library converts it
// somehow.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "tensordsl/error.h"

namespace tensordsl {

/// Throws ParseError if `j` is no integer that fits Integer.
template <typename Integer>
Integer integer_of(const nlohmann::ordered_json& j) {
  if (!j.is_number_integer()) throw ParseError("a number is no integer: " + j.dump());
  const bool fits = j.is_number_unsigned() ? std::in_range<Integer>(j.get<std::uint64_t>())
                                           : std::in_range<Integer>(j.get<std::int64_t>());
  if (!fits)
    throw ParseError(fmt::format("a number is no {}{}: {}", std::is_signed_v<Integer> ? "i" : "u",
                                 8 * sizeof(Integer), j.dump()));
  return j.get<Integer>();
}

}  // namespace tensordsl

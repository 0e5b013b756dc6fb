// Values of the integer expressions in launch manifests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tensordsl {

/// The value of an integer expression in the IR's text form ("(n + 7)/8*64"), computed in 64 bits. Division
/// and remainder floor, and are 0 for a divisor of 0. Throws Error on malformed text, a name that has no
/// value, an operator that is not of integers, or an overflow.
std::int64_t evaluate(std::string_view expression, const std::map<std::string, std::int64_t>& values);

}  // namespace tensordsl

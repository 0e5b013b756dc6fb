#include "base/size/size_function.h"

#include <bit>

#include "base/size/size_arithmetic.h"

namespace tensordsl {
namespace {

using Bits = std::uint64_t;

/// Returns the bits that the type has, the others as 0.
Bits bits_of_size(Type type, std::int64_t value) {
  const int unused = 64 - type.bits;
  return static_cast<Bits>(value) << unused >> unused;
}

/// Says how far a shift goes.
int shift_distance(Type type, std::int64_t distance) { return static_cast<int>(distance & (type.bits - 1)); }

std::int64_t shifted_right(Type type, std::int64_t value, std::int64_t distance) {
  const int by = shift_distance(type, distance);
  return type.is_uint() ? static_cast<std::int64_t>(static_cast<Bits>(value) >> by) : value >> by;
}

constexpr SizeFunction kSizeFunctions[] = {
    {"bitwise_and", 2, [](Type, std::int64_t a, std::int64_t b) { return a & b; }},
    {"bitwise_or", 2, [](Type, std::int64_t a, std::int64_t b) { return a | b; }},
    {"bitwise_xor", 2, [](Type, std::int64_t a, std::int64_t b) { return a ^ b; }},
    {"count_leading_zeros", 1,
     [](Type type, std::int64_t a, std::int64_t) -> std::int64_t {
       return std::countl_zero(bits_of_size(type, a)) - (64 - type.bits);
     }},
    {"popcount", 1,
     [](Type type, std::int64_t a, std::int64_t) -> std::int64_t {
       return std::popcount(bits_of_size(type, a));
     }},
    // The author of a definition promises this of the first operand.
    {"promise_clamped", 3, [](Type, std::int64_t a, std::int64_t) { return a; }},
    {"shift_left", 2,
     [](Type type, std::int64_t a, std::int64_t b) {
       return static_cast<std::int64_t>(static_cast<Bits>(a) << shift_distance(type, b));
     }},
    {"shift_right", 2, shifted_right},
};

}  // namespace

const SizeFunction* find_size_function(std::string_view name) {
  for (const SizeFunction& function : kSizeFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::int64_t apply(const SizeFunction& function, Type type, std::int64_t a, std::int64_t b) {
  return wrapped_to(type, function.value(type, wrapped_to(type, a), wrapped_to(type, b)));
}

}  // namespace tensordsl

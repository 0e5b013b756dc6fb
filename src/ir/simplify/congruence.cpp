#include "ir/simplify/congruence.h"

#include <numeric>

#include "base/arithmetic.h"

namespace tensordsl::ir {
namespace {

/// Moduli and remainders beyond this are not useful, and below it products of two do not overflow.
constexpr std::int64_t kLargestModulus = std::int64_t{1} << 31;

Congruence reduced_congruence(std::int64_t modulus, std::int64_t remainder) {
  if (modulus > kLargestModulus || modulus < 0 ||
      (modulus == 0 && (remainder > kLargestModulus || remainder < -kLargestModulus)))
    return {};
  return {modulus, modulus == 0 ? remainder : floor_mod(remainder, modulus)};
}

}  // namespace

Congruence Congruence::constant(std::int64_t value) { return reduced_congruence(0, value); }

std::int64_t Congruence::modulo(std::int64_t m) const {
  return modulus % m == 0 ? floor_mod(remainder, m) : -1;
}

Congruence operator+(Congruence a, Congruence b) {
  return reduced_congruence(std::gcd(a.modulus, b.modulus), a.remainder + b.remainder);
}

Congruence operator-(Congruence a, Congruence b) {
  return reduced_congruence(std::gcd(a.modulus, b.modulus), a.remainder - b.remainder);
}

Congruence operator*(Congruence a, Congruence b) {
  // (i*m + r) * (j*n + s) = ij*mn + i*ms + j*nr + rs
  const std::int64_t modulus =
      std::gcd(std::gcd(a.modulus * b.modulus, a.modulus * b.remainder), b.modulus * a.remainder);
  return reduced_congruence(modulus, a.remainder * b.remainder);
}

Congruence floor_div(Congruence a, Congruence b) {
  if (b.modulus != 0) return {};
  if (b.remainder == 0) return Congruence::constant(0);
  if (b.remainder < 0 || a.modulus % b.remainder != 0) return {};
  return reduced_congruence(a.modulus / b.remainder, floor_div(a.remainder, b.remainder));
}

Congruence floor_mod(Congruence a, Congruence b) {
  if (b.modulus != 0) return {};
  if (b.remainder == 0) return Congruence::constant(0);
  if (a.modulus % b.remainder == 0) return reduced_congruence(0, floor_mod(a.remainder, b.remainder));
  return reduced_congruence(std::gcd(a.modulus, b.remainder), a.remainder);
}

Congruence either(Congruence a, Congruence b) {
  return reduced_congruence(std::gcd(std::gcd(a.modulus, b.modulus), a.remainder - b.remainder), a.remainder);
}

}  // namespace tensordsl::ir

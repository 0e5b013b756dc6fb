// Congruence of an integer: its remainder modulo a number, if it is known.
#pragma once

#include <cstdint>

#include "base/arithmetic.h"

namespace tensordsl::ir {

using tensordsl::floor_div;
using tensordsl::floor_mod;

/// value ≡ remainder (mod modulus), 0 <= remainder < modulus. Modulus 1 says nothing, modulus 0 that the
/// value is `remainder`.
struct Congruence {
  std::int64_t modulus = 1;
  std::int64_t remainder = 0;

  static Congruence constant(std::int64_t value);
  /// Returns the remainder modulo `m` > 0; -1 if unknown.
  std::int64_t modulo(std::int64_t m) const;
  friend bool operator==(const Congruence&, const Congruence&) = default;
};

Congruence operator+(Congruence a, Congruence b);
Congruence operator-(Congruence a, Congruence b);
Congruence operator*(Congruence a, Congruence b);
Congruence floor_div(Congruence a, Congruence b);
Congruence floor_mod(Congruence a, Congruence b);
/// Returns the congruence of a value that is one of the two.
Congruence either(Congruence a, Congruence b);

}  // namespace tensordsl::ir

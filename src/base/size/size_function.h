// Functions on the bits of integers that sizes may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "tensordsl/type.h"

namespace tensordsl {

/// A function whose operands and result are of one integer type.
struct SizeFunction {
  std::string_view name;
  std::size_t operands;
  /// Computes it of values of the type; the result may have to wrap. A third operand does not count.
  std::int64_t (*value)(Type type, std::int64_t a, std::int64_t b);
};

/// Returns null if no function has that name.
const SizeFunction* find_size_function(std::string_view name);

/// Computes it in `type`, in which operands and result wrap. A single operand is `a`.
std::int64_t apply(const SizeFunction& function, Type type, std::int64_t a, std::int64_t b);

}  // namespace tensordsl

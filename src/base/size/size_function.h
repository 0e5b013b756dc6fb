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
  /// Computes it in `type`, in which operands wrap; of fewer than three the others are 0.
  std::int64_t (*value)(Type type, std::int64_t a, std::int64_t b, std::int64_t c);
};

/// Returns null if no function has that name.
const SizeFunction* find_size_function(std::string_view name);

}  // namespace tensordsl

// Constants of which f16 makes infinities.
#pragma once

#include <cstdint>
#include <optional>

#include "tensordsl/buffer.h"
#include "tensordsl/type.h"

namespace tensordsl::graph {

/// Finite values that a narrower type stores as infinities.
struct Overflow {
  std::int64_t values = 0;
  double first = 0;
};

/// Finds the values of `constant` that overflow where it is stored as `type`; nullopt if there are none.
std::optional<Overflow> find_overflow(const Buffer& constant, Type type);

}  // namespace tensordsl::graph

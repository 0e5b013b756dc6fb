// Amounts of memory for messages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tensordsl::runtime {

struct TensorMemory {
  std::string name, shape;  ///< "w", "f32[64,3]"
  std::int64_t bytes = 0;
};

/// Returns a text such as "3221225472 bytes (3.0 GiB)"; under a KiB "64 bytes".
std::string bytes_text(std::int64_t bytes);

/// Lists the three largest tensors, equal ones in their order: "w" f32[64,3], 768 bytes; "b" f32[64], 256
/// bytes
std::string largest_text(std::vector<TensorMemory> tensors);

}  // namespace tensordsl::runtime

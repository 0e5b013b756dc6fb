#include "runtime/memory/memory_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tensordsl::runtime {

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  if (value < 1) return fmt::format("{} bytes", bytes);
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{} bytes ({:.1f} {})", bytes, value, kUnits[unit]);
}

std::string largest_text(std::vector<TensorMemory> tensors) {
  constexpr std::size_t kShown = 3;
  std::ranges::stable_sort(tensors, std::ranges::greater(), &TensorMemory::bytes);
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, tensors.size()); ++i) {
    text += fmt::format("{}\"{}\" {}, {}", i == 0 ? "" : "; ", tensors[i].name, tensors[i].shape,
                        bytes_text(tensors[i].bytes));
  }
  return text;
}

}  // namespace tensordsl::runtime

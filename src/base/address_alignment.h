// The largest power of two, up to a page, that an address is a multiple of.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tensordsl {

inline std::int64_t address_alignment(const void* address) {
  constexpr int kPage = 12;
  return std::int64_t{1} << std::min(kPage, std::countr_zero(reinterpret_cast<std::uintptr_t>(address)));
}

}  // namespace tensordsl

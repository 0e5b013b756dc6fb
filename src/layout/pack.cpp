// Tensors in the order of their layouts.
#include "tensordsl/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tensordsl/error.h"

namespace tensordsl {

using Term = Layout::Term;

namespace {

/// No more than the stored ones, so what stored_elements accepts does not overflow here.
std::int64_t row_major_elements(const std::vector<std::int64_t>& extents) {
  std::int64_t elements = 1;
  for (const std::int64_t e : extents) elements *= e;
  return elements;
}

void require_bytes(std::string_view call, std::size_t given, std::int64_t elements,
                   std::size_t element_bytes) {
  const std::size_t needed = static_cast<std::size_t>(elements) * element_bytes;
  if (given == needed) return;
  throw ShapeError(fmt::format("{}: found {} bytes, but {} elements of {} bytes need {}", call, given,
                               elements, element_bytes, needed));
}

/// Calls f(row-major position, stored position) for every logical index.
template <typename F>
void for_each_position(const Layout& layout, const std::vector<std::int64_t>& extents, F f) {
  const std::int64_t elements = row_major_elements(extents);
  if (elements == 0) return;
  const bool is_swizzled = std::any_of(layout.terms().begin(), layout.terms().end(),
                                       [](const Term& t) { return t.swizzle.has_value(); });
  // Unless it is swizzled, the stored position is the first element's plus one part per dimension, so a table
  // per dimension replaces the divisions.
  std::vector<std::vector<std::int64_t>> part(extents.size());
  std::vector<std::int64_t> index(extents.size(), 0);
  const std::int64_t first = layout.position(index, extents);
  for (std::size_t d = 0; d < extents.size() && !is_swizzled; ++d) {
    for (index[d] = 0; index[d] < extents[d]; ++index[d])
      part[d].push_back(layout.position(index, extents) - first);
    index[d] = 0;
  }
  // Rows of the last dimension; a tensor without dimensions is one row of one element.
  const std::int64_t row = extents.empty() ? 1 : extents.back();
  const std::vector<std::int64_t> whole{0};
  const std::vector<std::int64_t>& in_row = extents.empty() ? whole : part.back();
  for (std::int64_t at = 0; at < elements; at += row) {
    if (is_swizzled) {
      for (std::int64_t i = 0; i < row; ++i) {
        if (!extents.empty()) index.back() = i;
        f(static_cast<std::size_t>(at + i), static_cast<std::size_t>(layout.position(index, extents)));
      }
    } else {
      std::int64_t stored = first;
      for (std::size_t d = 0; d + 1 < extents.size(); ++d)
        stored += part[d][static_cast<std::size_t>(index[d])];
      for (std::int64_t i = 0; i < row; ++i)
        f(static_cast<std::size_t>(at + i),
          static_cast<std::size_t>(stored + in_row[static_cast<std::size_t>(i)]));
    }
    for (std::size_t d = extents.size() < 2 ? 0 : extents.size() - 1; d-- > 0;) {
      if (++index[d] < extents[d]) break;
      index[d] = 0;
    }
  }
}

/// Calls copy(to, from) with elements of a type of `size` bytes, or byte by byte.
template <typename Positions>
void copy_elements(std::size_t size, std::byte* to, const std::byte* from, const Positions& positions) {
  const auto as = [&]<typename T>(T) {
    positions([&](std::size_t to_index, std::size_t from_index) {
      std::memcpy(to + to_index * sizeof(T), from + from_index * sizeof(T), sizeof(T));
    });
  };
  switch (size) {
    case 1:
      return as(std::uint8_t{});
    case 2:
      return as(std::uint16_t{});
    case 4:
      return as(std::uint32_t{});
    case 8:
      return as(std::uint64_t{});
    default:
      positions([&](std::size_t to_index, std::size_t from_index) {
        std::memcpy(to + to_index * size, from + from_index * size, size);
      });
  }
}

}  // namespace

void pack_into(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
               const std::vector<std::int64_t>& extents, std::span<std::byte> stored) {
  const auto size = static_cast<std::size_t>(element_bytes);
  require_bytes("pack", stored.size(), layout.stored_elements(extents), size);
  require_bytes("pack", row_major.size(), row_major_elements(extents), size);
  if (layout.is_row_major()) {
    std::ranges::copy(row_major, stored.begin());
    return;
  }
  copy_elements(size, stored.data(), row_major.data(), [&](const auto& copy) {
    for_each_position(layout, extents, [&](std::size_t from, std::size_t to) { copy(to, from); });
  });
}

std::vector<std::byte> pack(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
                            const std::vector<std::int64_t>& extents) {
  const std::int64_t elements = layout.stored_elements(extents);
  require_bytes("pack", row_major.size(), row_major_elements(extents),
                static_cast<std::size_t>(element_bytes));
  std::vector<std::byte> stored(static_cast<std::size_t>(elements) * static_cast<std::size_t>(element_bytes));
  pack_into(row_major, element_bytes, layout, extents, stored);
  return stored;
}

std::vector<std::byte> unpack(std::span<const std::byte> stored, int element_bytes, const Layout& layout,
                              const std::vector<std::int64_t>& extents) {
  const auto size = static_cast<std::size_t>(element_bytes);
  require_bytes("unpack", stored.size(), layout.stored_elements(extents), size);
  std::vector<std::byte> row_major(static_cast<std::size_t>(row_major_elements(extents)) * size);
  copy_elements(size, row_major.data(), stored.data(),
                [&](const auto& copy) { for_each_position(layout, extents, copy); });
  return row_major;
}

}  // namespace tensordsl

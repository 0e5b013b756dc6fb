// Elements in their order, by keys: runs of them are merged until they are one.
#pragma once

#include "ops/normalize/composition.h"

namespace tensordsl::ops::normalize {

/// Rows of keys, and values that are moved with them: both [rows, length].
struct SortedKeys {
  std::string keys, places;
};

/// The keys of each row from the largest on, equal keys in their own order.
SortedKeys sorted_keys(Composition& nodes, SortedKeys unsorted, std::int64_t length);

/// 0, 1, .. to length - 1, i32[1, length].
std::string places_of_row(Composition& nodes, std::int64_t length);

/// Returns for each element of x [length], as i32, the number of distinct smaller elements: equal elements
/// have the same number.
std::string ranks_by_keys(Composition& nodes, const std::string& x, std::int64_t length);

}  // namespace tensordsl::ops::normalize

// Limit of the elements that a layout leaves free next to a term.
#pragma once

namespace tensordsl {

/// Elements on each side: two of them and an extent fit an i32.
constexpr int kMaxFree = 1 << 29;

}  // namespace tensordsl

// The functions an Intrinsic node may name.
#pragma once

#include <span>
#include <string_view>

#include "ir/operations/operations.h"

namespace tensordsl::ir {

struct IntrinsicEntry {
  std::string_view name;
  int operands;
  Operation (*on)(Type type);  // what it computes on operands of a type; null if it takes none of it
};

/// Returns all intrinsics, by name.
std::span<const IntrinsicEntry> intrinsics();

/// Returns the intrinsic of that name; null if there is none.
const IntrinsicEntry* find_intrinsic(std::string_view name);

}  // namespace tensordsl::ir

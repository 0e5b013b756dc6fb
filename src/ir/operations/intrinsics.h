// The functions an Intrinsic node may name.
#pragma once

#include <span>
#include <string_view>

#include "ir/operations/operations.h"

namespace tensordsl::ir {

struct IntrinsicEntry {
  std::string_view name;
  int operands;
  Operation (*on)(Type type);  // operation on operands of a type; null if it does not take the type
};

/// Returns all intrinsics, by name.
std::span<const IntrinsicEntry> intrinsics();

/// Returns the intrinsic of that name; null if there is none.
const IntrinsicEntry* find_intrinsic(std::string_view name);

}  // namespace tensordsl::ir

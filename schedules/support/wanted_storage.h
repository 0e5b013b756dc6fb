// The layouts of constants that a kernel wants.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "tensordsl/image.h"
#include "tensordsl/layout.h"

namespace tensordsl::schedules {

struct ConstantStorage {
  Layout layout;
  /// Where the target has images, the kind to take if there is one of that size, else any. Nothing: a buffer.
  std::optional<ImageKind> image = std::nullopt;
};

/// Storage by operand of the group; operands that are left out keep theirs.
using WantedStorage = std::map<std::size_t, ConstantStorage>;

}  // namespace tensordsl::schedules

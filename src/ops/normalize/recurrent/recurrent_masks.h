// Sets the outputs of a recurrent network to 0 where a sequence has ended, or has no steps.
#pragma once

#include <cstdint>
#include <string>

#include "ops/normalize/composition.h"

namespace tensordsl::ops::normalize {

/// 0, 1, .. to `count` - 1, i32 of `shape`.
Buffer all_steps(std::int64_t count, const Ints& shape);

/// `values`, of `type`, where the steps compare so with the limit, and 0 elsewhere.
std::string kept(Composition& made, const std::string& step, const char* compare, const Buffer& steps,
                 const std::string& limit, const std::string& values, Type type);

}  // namespace tensordsl::ops::normalize

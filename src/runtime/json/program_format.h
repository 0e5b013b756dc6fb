// What the JSON of a Program says, for those who write it and who read it: versions and words
#pragma once

#include "tensordsl/program.h"

namespace tensordsl::runtime {

inline constexpr int kFirstVersion = 1;
/// Of Programs with counts or host steps, which a reader of version 1 would take for complete without them.
inline constexpr int kVersionWithSteps = 2;
/// Of Programs with tensors at offsets in slots, all of which begin at 0 to a reader of the others.
inline constexpr int kVersionWithOffsets = 3;
/// Of Programs with images in slots, in which readers of the others have buffers alone.
inline constexpr int kVersionWithSharedImages = 4;
/// Of Programs with states, which a reader of the others would run as if each run were the first.
inline constexpr int kVersionWithStates = 5;

/// Version of Programs with loops, of which a reader of the others would run one step.
inline constexpr int kVersionWithLoops = 6;

inline bool has_offset(const Program::Tensor& t) { return t.slot >= 0 && t.offset != 0; }

inline bool is_shared_image(const Program::Tensor& t) { return t.slot >= 0 && t.image; }

/// By Program::Tensor::Kind.
inline constexpr const char* kTensorKinds[] = {"input", "output", "constant", "intermediate", "state"};

}  // namespace tensordsl::runtime

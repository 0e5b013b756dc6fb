// Versions and words of the JSON of a Program, shared by its writer and its reader.
#pragma once

#include "tensordsl/program.h"

namespace tensordsl::runtime {

inline constexpr int kFirstVersion = 1;
/// Version of Programs with counts or host steps, which a reader of version 1 would ignore.
inline constexpr int kVersionWithSteps = 2;
/// Version of Programs with tensors at offsets in slots; to readers of earlier versions all begin at 0.
inline constexpr int kVersionWithOffsets = 3;
/// Version of Programs with images in slots; readers of earlier versions expect only buffers there.
inline constexpr int kVersionWithSharedImages = 4;
/// Version of Programs with states; a reader of earlier versions would run each run as the first.
inline constexpr int kVersionWithStates = 5;

/// Version of Programs with loops, of which a reader of the others would run one step.
inline constexpr int kVersionWithLoops = 6;

inline bool has_offset(const Program::Tensor& t) { return t.slot >= 0 && t.offset != 0; }

inline bool is_shared_image(const Program::Tensor& t) { return t.slot >= 0 && t.image; }

/// Names of the tensors' kinds, indexed by Program::Tensor::Kind.
inline constexpr const char* kTensorKinds[] = {"input", "output", "constant", "intermediate", "state"};

}  // namespace tensordsl::runtime

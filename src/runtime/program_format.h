// What the JSON of a Program says, for those who write it and who read it: versions and words
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tensordsl/image.h"
#include "tensordsl/program.h"

namespace tensordsl {

NLOHMANN_JSON_SERIALIZE_ENUM(ImageKind, {{ImageKind::Image1DBuffer, "image1d_buffer"},
                                         {ImageKind::Image2D, "image2d"},
                                         {ImageKind::Image2DArray, "image2d_array"}})

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

/// What layouts call the dimensions of a tensor: d0, d1 ...
inline std::vector<std::string> dim_names(std::size_t rank) {
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < rank; ++d) dims.push_back(fmt::format("d{}", d));
  return dims;
}

/// By Program::Tensor::Kind.
inline constexpr const char* kTensorKinds[] = {"input", "output", "constant", "intermediate", "state"};

}  // namespace tensordsl

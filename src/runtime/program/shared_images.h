// tensors in slot 2: 56 x 896 and 28 x 896 texels   ->   slot 2: an image of 56 x 896 texels
// Needs: images with slots have known sizes, and images of one slot differ only in them.
#pragma once

#include <map>

#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Returns, for each slot, the image that its tensors share, as large as each of them needs along every side.
std::map<int, ImageDescription> shared_images(const Program& program);

}  // namespace tensordsl::runtime

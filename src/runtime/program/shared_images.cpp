#include "runtime/program/shared_images.h"

#include <algorithm>

#include "runtime/values/evaluate.h"

namespace tensordsl::runtime {

std::map<int, ImageDescription> shared_images(const Program& program) {
  std::map<int, ImageDescription> images;
  for (const Program::Tensor& t : program.tensors) {
    if (t.slot < 0 || !t.image || !t.stored.image) continue;
    const ImageDescription none{*t.stored.image, t.image->channels, t.stored.type};
    ImageDescription& image = images.try_emplace(t.slot, none).first->second;
    image.width = std::max(image.width, evaluate(t.image->width, {}));
    image.height = std::max(image.height, evaluate(t.image->height, {}));
    image.layers = std::max(image.layers, evaluate(t.image->layers, {}));
  }
  return images;
}

}  // namespace tensordsl::runtime

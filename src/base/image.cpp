#include "tensordsl/image.h"

namespace tensordsl {

const char* to_string(ImageKind kind) {
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return "Image1DBuffer";
    case ImageKind::Image2D:
      return "Image2D";
    case ImageKind::Image2DArray:
      return "Image2DArray";
  }
  return "?";
}

}  // namespace tensordsl

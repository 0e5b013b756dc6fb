// Tensors in image memory ("textures").
#pragma once

#include <cstdint>

namespace tensordsl {

/// The image types of OpenCL that tensors are stored in. A texel holds four elements (CL_RGBA) or one (CL_R).
enum class ImageKind : std::uint8_t {
  Image1DBuffer,  ///< texels in a row; a read outside of them is undefined
  Image2D,        ///< rows x columns
  Image2DArray,   ///< layers x rows x columns
};

inline constexpr ImageKind Image1DBuffer = ImageKind::Image1DBuffer;  ///< argument of Stage::set_image()
inline constexpr ImageKind Image2D = ImageKind::Image2D;              ///< argument of Stage::set_image()
inline constexpr ImageKind Image2DArray = ImageKind::Image2DArray;    ///< argument of Stage::set_image()

/// The largest images of a device, in texels.
struct ImageLimits {
  /// Columns of an Image2D and of each layer of an Image2DArray.
  std::int64_t width = 0, height = 0;  ///< rows of an Image2D and of each layer of an Image2DArray
  std::int64_t layers = 0;             ///< layers of an Image2DArray
  std::int64_t buffer_texels = 0;      ///< texels of an Image1DBuffer
};

/// Returns the number of coordinates of a texel: 1 to 3.
constexpr int coordinates_of(ImageKind kind) { return static_cast<int>(kind) + 1; }

/// Returns "Image1DBuffer", "Image2D" or "Image2DArray".
const char* to_string(ImageKind kind);

}  // namespace tensordsl

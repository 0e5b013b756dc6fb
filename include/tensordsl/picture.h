// Pictures in the formats of cameras and displays.
#pragma once

#include <cstdint>
#include <vector>

namespace tensordsl {

/// Marks an f32 input or output [batch, channels, rows, columns] of a model, of 1, 3 or 4 channels, as bytes
/// [batch, rows, columns, 4]: red, green, blue and alpha of each pixel in sequence. The kernels that read the
/// input convert it; an output has a kernel that does.
///
/// value = (byte/255 - mean)/deviation, for each channel. An input with fewer than 4 channels ignores the
/// others; an input of one channel takes red. An output is rounded and clamped to [0, 255]; alpha is 255 if
/// it has no fourth channel, and one channel gives red, green and blue.
struct Picture {
  std::vector<double> mean{0};       ///< mean of each channel, or one for all
  std::vector<double> deviation{1};  ///< deviation of each channel, or one for all; not 0
  /// Storage of the bytes on the device.
  enum class Storage : std::uint8_t {
    Buffer,  ///< u8, in a buffer
    /// u8, in an Image2D of CL_RGBA and CL_UNSIGNED_INT8: a texel for each pixel, the pictures of a batch
    /// stacked vertically
    Image,
    /// byte/255 as f32, in an Image2D of CL_RGBA and CL_UNORM_INT8, as cameras, displays and OpenGL have
    /// them; an image of CL_FLOAT or CL_HALF_FLOAT works too
    NormalizedImage,
  } storage = Storage::Buffer;  ///< storage of the bytes on the device
};

}  // namespace tensordsl

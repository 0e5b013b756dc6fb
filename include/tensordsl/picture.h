// Pictures as cameras give and displays take them.
#pragma once

#include <cstdint>
#include <vector>

namespace tensordsl {

/// An f32 input or output [batch, channels, rows, columns] of a model, of 1, 3 or 4 channels, as bytes
/// [batch, rows, columns, 4]: red, green, blue and alpha of one pixel behind the other. The kernels that read
/// the input convert it; an output has a kernel that does.
///
/// value = (byte/255 - mean)/deviation, of each channel. Of an input with fewer than 4 channels the others
/// are left alone, and of one channel that is red. An output is rounded, and cut at 0 and 255; alpha is 255
/// if it has no fourth channel, and one channel is red, green and blue.
struct Picture {
  std::vector<double> mean{0};       ///< of each channel, or one for all
  std::vector<double> deviation{1};  ///< the same; not 0
  /// How the device has its bytes.
  enum class Storage : std::uint8_t {
    Buffer,  ///< u8, in a buffer
    /// u8, in an Image2D of CL_RGBA and CL_UNSIGNED_INT8: a texel for each pixel, the pictures of a batch one
    /// below the other
    Image,
    /// byte/255 as f32, in an Image2D of CL_RGBA and CL_UNORM_INT8, as cameras, displays and OpenGL have
    /// them; one of CL_FLOAT or CL_HALF_FLOAT does as well
    NormalizedImage,
  } storage = Storage::Buffer;  ///< how the device has its bytes
};

}  // namespace tensordsl

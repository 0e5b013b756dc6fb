// Checks that a copied range, or a part, is inside a buffer: the same check for every kind of device.
#pragma once

#include <cstddef>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// A buffer of `size` bytes, of which a call is given `bytes` from `offset` on.
struct BufferRange {
  std::size_t bytes = 0, offset = 0;
  std::size_t size = 0;
};

/// Checks that the buffer is the device's and that the bytes are in it. Throws DeviceError, which starts with
/// `call`, otherwise.
void check_buffer_range(const char* call, const BufferRange& range, bool is_own, const DeviceInfo& device);

/// Checks a range for Device::part too: the alignment of its beginning, and `of_part`, true if the buffer is
/// a part itself.
void check_part(const BufferRange& range, bool is_own, bool of_part, const DeviceInfo& device);

}  // namespace tensordsl::runtime

#include "runtime/device/check_buffer_range.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::runtime {

void check_buffer_range(const char* call, const BufferRange& range, bool is_own, const DeviceInfo& device) {
  if (!is_own)
    throw DeviceError(fmt::format("{}: the buffer belongs to another device, not to {}", call, device.name));
  if (range.offset > range.size || range.bytes > range.size - range.offset) {
    throw DeviceError(fmt::format("{}: {} bytes at offset {} exceed the buffer's {} bytes", call, range.bytes,
                                  range.offset, range.size));
  }
}

void check_part(const BufferRange& range, bool is_own, bool of_part, const DeviceInfo& device) {
  check_buffer_range("part", range, is_own, device);
  if (of_part)
    throw DeviceError("part: the buffer is already a part of another; take a part of the whole buffer");
  if (range.offset % static_cast<std::size_t>(device.buffer_alignment_bytes) != 0) {
    throw DeviceError(fmt::format("part: the offset {} must be a multiple of {} bytes for {}", range.offset,
                                  device.buffer_alignment_bytes, device.name));
  }
}

}  // namespace tensordsl::runtime

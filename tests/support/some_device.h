// A device as drivers describe them, for compiling without one.
#pragma once

#include "tensordsl/device.h"

namespace tensordsl {

inline DeviceInfo some_device() {
  DeviceInfo device;
  device.version = "OpenCL 1.2";
  device.max_group_sizes = {1024, 1024, 64};
  device.max_group_size = 1024;
  device.local_memory_bytes = 48 * 1024;
  device.constant_buffer_bytes = 64 * 1024;
  device.has_images = true;
  device.image_limits = {16384, 16384, 2048, 1 << 27};
  return device;
}

}  // namespace tensordsl

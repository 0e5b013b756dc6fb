// Checks that a launch fits its kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Recognizes objects that a Device made: a launch may use no others.
class LaunchOwner {
 public:
  virtual ~LaunchOwner() = default;
  virtual bool owns(const DeviceKernel& kernel) const = 0;
  virtual bool owns(const DeviceImage& image) const = 0;
  /// Returns the alignment in bytes of the buffer's address; none for another device's buffer.
  virtual std::optional<std::int64_t> alignment_of(const DeviceBuffer& buffer) const = 0;
};

/// Checks that a launch fits its kernel. Throws DeviceError that names the kernel, the argument, its
/// requirement and the value given, otherwise.
void check_launch(const Launch& launch, const LaunchOwner& owner);

}  // namespace tensordsl::runtime

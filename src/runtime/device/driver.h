// A driver finds and opens devices: the half of a backend that runs kernels. The other half, a Backend
// (backend/backend.h), writes them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// A device that was found and is not opened yet.
struct FoundDevice {
  DeviceInfo info;
  std::function<std::shared_ptr<Device>()> open;
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// Lists every device, in a stable order; its platforms are numbered from `first_platform` on. The list is
  /// empty if there is none. Threads may call it at once.
  virtual std::vector<FoundDevice> devices(int first_platform) const = 0;
};

using Drivers = std::vector<std::shared_ptr<const Driver>>;

/// Lists the devices of all drivers, in the drivers' order; no two have the same platform and device number.
std::vector<FoundDevice> find_devices(const Drivers& drivers);

/// Opens the device that `spec`, or if that is empty `environment`, names, as Device::open() does. Throws
/// DeviceError that lists the devices.
std::shared_ptr<Device> open_device(const Drivers& drivers, const std::string& spec,
                                    const std::string& environment);

}  // namespace tensordsl::runtime

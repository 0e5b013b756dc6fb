#include "runtime/device/driver.h"

#include <algorithm>
#include <iterator>

#include "runtime/device/select_device.h"

namespace tensordsl::runtime {

std::vector<FoundDevice> find_devices(const Drivers& drivers) {
  std::vector<FoundDevice> found;
  int first_platform = 0;
  for (const auto& driver : drivers) {
    std::vector<FoundDevice> devices = driver->devices(first_platform);
    for (const FoundDevice& device : devices)
      first_platform = std::max(first_platform, device.info.platform_number + 1);
    std::ranges::move(devices, std::back_inserter(found));
  }
  return found;
}

std::shared_ptr<Device> open_device(const Drivers& drivers, const std::string& spec,
                                    const std::string& environment) {
  const std::vector<FoundDevice> devices = find_devices(drivers);
  std::vector<DeviceInfo> infos;
  for (const FoundDevice& device : devices) infos.push_back(device.info);
  return devices[select_device(infos, spec, environment)].open();
}

}  // namespace tensordsl::runtime

#include "tensordsl/target.h"

#include "hwprofile/reported/derived_profile.h"
#include "schedules/support/target_of_profile.h"
#include "tensordsl/device.h"

namespace tensordsl {

Target Target::of(const DeviceInfo& device) {
  return schedules::target_of(hwprofile::derived_profile(device), device.max_group_size);
}

Target Target::host() { return of(Device::open("host")->info()); }

}  // namespace tensordsl

#include "hwprofile/reported/derived_profile.h"

#include "hwprofile/reported/reported_by_driver.h"

namespace tensordsl::hwprofile {

HwProfile derived_profile(const DeviceInfo& info) {
  HwProfile profile = reported_by_driver(info);
  profile.sources = {"reported by the driver; nothing was measured"};
  if (info.is_cpu) {
    profile.warp_size = Measurement::exact(1);
  } else if (!profile.warp_size) {
    profile.warp_size = Measurement{32, 1, 128, false};
  }
  return profile;
}

}  // namespace tensordsl::hwprofile

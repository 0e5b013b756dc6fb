// Profiles of devices that are known, kept in the library.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::hwprofile {

struct BundledProfile {
  const char* name;  ///< "adreno640": of the file in hwprofile/profiles
  const char* json;
};

/// Returns the bundled profiles in the order of their names.
const std::vector<BundledProfile>& bundled_profiles();

}  // namespace tensordsl::hwprofile

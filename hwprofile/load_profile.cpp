#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "hwprofile/bundled_profiles.h"
#include "tensordsl/error.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl {

std::optional<HwProfile> bundled_hw_profile(const std::string& device_name) {
  for (const hwprofile::BundledProfile& bundled : hwprofile::bundled_profiles()) {
    HwProfile profile = hw_profile_from_json(bundled.json);
    if (device_name.find(profile.device) != std::string::npos) return profile;
  }
  return std::nullopt;
}

HwProfile load_hw_profile(const std::string& name) {
  std::vector<std::string> names;
  for (const hwprofile::BundledProfile& bundled : hwprofile::bundled_profiles()) {
    if (bundled.name == name) return hw_profile_from_json(bundled.json);
    names.emplace_back(bundled.name);
  }
  std::error_code unknown;
  if (std::filesystem::is_directory(name, unknown)) {
    throw Error(fmt::format("the profile \"{}\" is a folder; name a file in it, or one of {}", name,
                            fmt::join(names, ", ")));
  }
  std::ifstream file(name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    throw Error(fmt::format("the profile \"{}\" is neither a readable file nor one of {}", name,
                            fmt::join(names, ", ")));
  }
  return hw_profile_from_json(text.str());
}

}  // namespace tensordsl

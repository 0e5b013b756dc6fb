#include "generator/find_target.h"

#include <fmt/format.h>

#include "hwprofile/bundled_profiles.h"
#include "hwprofile/reported/derived_profile.h"
#include "schedules/support/target_of_profile.h"
#include "tensordsl/error.h"

namespace tensordsl::generator {
namespace {

GeneratorTarget of_device() {
  GeneratorTarget target{.name = "here"};
  target.device = Device::open()->info();
  if (target.device->backend != kOpenClBackend) {
    throw Error(
        fmt::format("{} is not an OpenCL device, and generators write kernels for OpenCL; choose another "
                    "device with TENSORDSL_DEVICE",
                    target.device->name));
  }
  target.profile = hwprofile::derived_profile(*target.device);
  target.figures = Target::of(*target.device);
  return target;
}

}  // namespace

GeneratorTarget find_target(const std::string& name) {
  try {
    if (name == "any") return {.name = name};
    if (name == "here") return of_device();
    GeneratorTarget target{.name = name, .profile = load_hw_profile(name)};
    target.figures = schedules::target_of(target.profile);
    return target;
  } catch (const Error& error) {
    throw Error(fmt::format("target={}: {}; expected {}", name, error.what(), legal_targets()));
  }
}

std::string legal_targets() {
  std::string names;
  for (const hwprofile::BundledProfile& profile : hwprofile::bundled_profiles())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", profile.name);
  return fmt::format("any, here, one of {}, or a file written by `tensordsl profile`", names);
}

}  // namespace tensordsl::generator

// Devices of several drivers in one list.
#include "runtime/device/driver.h"

#include <doctest/doctest.h>

#include "support/error_text.h"
#include "support/fake_device.h"

namespace tensordsl {
namespace {

/// Two devices on each of its platforms.
class FakeDriver final : public runtime::Driver {
 public:
  FakeDriver(std::string name, int platforms) : name_(std::move(name)), platforms_(platforms) {}

  std::vector<runtime::FoundDevice> devices(int first_platform) const override {
    std::vector<runtime::FoundDevice> found;
    for (int platform = 0; platform < platforms_; ++platform) {
      for (int number = 0; number < 2; ++number) {
        DeviceInfo info;
        info.name = name_;
        info.backend = name_;
        info.platform_number = first_platform + platform;
        info.device_number = number;
        found.push_back({info, [info] { return std::make_shared<FakeDevice>(info); }});
      }
    }
    return found;
  }

 private:
  std::string name_;
  int platforms_;
};

runtime::Drivers drivers() {
  return {std::make_shared<FakeDriver>("none", 0), std::make_shared<FakeDriver>("loom", 2),
          std::make_shared<FakeDriver>("abacus", 1)};
}

}  // namespace

TEST_CASE("drivers: their devices are one list, and platforms are numbered on") {
  std::string listed;
  for (const runtime::FoundDevice& device : runtime::find_devices(drivers())) {
    listed += device.info.name + " " + std::to_string(device.info.platform_number) + ":" +
              std::to_string(device.info.device_number) + "\n";
  }
  CHECK(listed == "loom 0:0\nloom 0:1\nloom 1:0\nloom 1:1\nabacus 2:0\nabacus 2:1\n");
  CHECK(runtime::find_devices({}).empty());
}

TEST_CASE("drivers: a device is opened by the driver that found it") {
  CHECK(runtime::open_device(drivers(), "2:1", "")->info().backend == "abacus");
  CHECK(runtime::open_device(drivers(), "", "abacus")->info().platform_number == 2);
  CHECK(runtime::open_device(drivers(), "", "")->info().backend == "loom");
  CHECK(error_of([] {
          runtime::open_device(drivers(), "3:0", "");
        }).starts_with("no device matches \"3:0\". The devices are: "));
  CHECK(error_of([] { runtime::open_device({}, "", ""); }).starts_with("no device found: "));
}

}  // namespace tensordsl

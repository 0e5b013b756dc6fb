#include "backends/llvm/device/host_driver.h"

#include "backends/llvm/device/host_device.h"
#include "backends/llvm/device/host_info.h"

namespace tensordsl::host {

std::vector<runtime::FoundDevice> HostDriver::devices(int first_platform) const {
  const auto llvm = LlvmLibrary::load();
  if (!llvm) return {};
  const Processor processor = this_processor(*llvm);
  const DeviceInfo info = host_info(*llvm, processor, first_platform);
  return {{info, [=] {
             return std::make_shared<HostDevice>(
                 llvm, processor, info,
                 runtime::ProgramCache(runtime::ProgramCache::folder_of_environment()));
           }}};
}

}  // namespace tensordsl::host

#include "runtime/device/select_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/lower_case.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

std::string number_of(const DeviceInfo& device) {
  return fmt::format("{}:{}", device.platform_number, device.device_number);
}

std::string describe(const std::vector<DeviceInfo>& devices) {
  std::string text;
  for (const DeviceInfo& d : devices) {
    text += fmt::format("{}{} \"{}\" ({})", text.empty() ? "" : ", ", number_of(d), d.name,
                        d.is_gpu   ? "gpu"
                        : d.is_cpu ? "cpu"
                                   : "accelerator");
  }
  return text;
}

/// "3:0": such a spec is never part of a name.
bool is_number_pair(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto digits = [](std::string_view s) {
    return !s.empty() && std::ranges::all_of(s, [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return colon != std::string::npos && digits(std::string_view(text).substr(0, colon)) &&
         digits(std::string_view(text).substr(colon + 1));
}

bool matches(const DeviceInfo& device, const std::string& spec) {
  if (is_number_pair(spec)) return number_of(device) == spec;
  const std::string wanted = lower_case(spec);
  if (wanted == "gpu") return device.is_gpu;
  if (wanted == "cpu") return device.is_cpu;
  if (wanted == "host") return device.backend == kLlvmBackend;
  return lower_case(device.name).find(wanted) != std::string::npos;
}

}  // namespace

std::size_t select_device(const std::vector<DeviceInfo>& devices, const std::string& spec,
                          const std::string& environment) {
  if (devices.empty()) {
    throw DeviceError(
        "no device found: install the OpenCL driver of your GPU, or PoCL to run on the CPU (on Debian: "
        "apt-get install pocl-opencl-icd), or LLVM 15 to 19 (apt-get install libllvm15)");
  }
  const std::string& wanted = spec.empty() ? environment : spec;
  const auto found = std::ranges::find_if(devices, [&](const DeviceInfo& device) {
    return wanted.empty() ? device.is_gpu : matches(device, wanted);
  });
  if (found != devices.end()) return static_cast<std::size_t>(found - devices.begin());
  if (wanted.empty()) return 0;
  const std::string_view remedy =
      lower_case(wanted) == "host" ? "; it needs LLVM 15 to 19 (apt-get install libllvm15)" : "";
  throw DeviceError(
      fmt::format("no device matches {}\"{}\"{}. The devices are: {}. Name one by gpu, cpu, host, "
                  "PLATFORM:DEVICE or a part of its name",
                  spec.empty() ? "TENSORDSL_DEVICE=" : "", wanted, remedy, describe(devices)));
}

}  // namespace tensordsl::runtime

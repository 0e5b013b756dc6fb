#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/device_json.h"
#include "apps/tensordsl/terminal.h"
#include "apps/tensordsl/text_table.h"
#include "base/json_text.h"
#include "tensordsl/device.h"

namespace tensordsl::cli {
namespace {

std::string describe_for_people(const DeviceInfo& d) {
  const char* kind = d.is_cpu ? "cpu" : d.is_gpu ? "gpu" : "other";
  const std::string text = fmt::format(
      "{}  {} ({}), {} compute units, {:.1f} GiB, local memory {} KiB{}{}{}", kind, d.name, d.platform,
      d.compute_units, static_cast<double>(d.global_memory_bytes) / (1 << 30), d.local_memory_bytes / 1024,
      d.has_fp16 ? ", fp16" : "", d.has_fp64 ? ", fp64" : "", d.has_images ? ", images" : "");
  const std::string place = fmt::format("{}:{}", d.platform_number, d.device_number);
  return labeled(place, text, place.size() + 2, terminal_columns(STDOUT_FILENO));
}

}  // namespace

Command add_devices_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "print everything that is known of them, as JSON");
  return [json] {
    const std::vector<DeviceInfo> devices = Device::list();
    if (*json) {
      auto list = nlohmann::ordered_json::array();
      for (const DeviceInfo& d : devices) list.push_back(device_json(d));
      fmt::print("{}\n", dump_json(list, 2));
      return 0;
    }
    if (devices.empty()) {
      fmt::print("no device; on Debian: apt-get install pocl-opencl-icd runs kernels on the CPU\n");
      return 0;
    }
    for (const DeviceInfo& d : devices) fmt::print("{}", describe_for_people(d));
    return 0;
  };
}

}  // namespace tensordsl::cli

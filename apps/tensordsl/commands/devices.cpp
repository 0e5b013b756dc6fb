#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/terminal.h"
#include "apps/tensordsl/console/text_table.h"
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

/// All that DeviceInfo has.
nlohmann::ordered_json device_json(const DeviceInfo& d) {
  return {{"device", fmt::format("{}:{}", d.platform_number, d.device_number)},
          {"name", d.name},
          {"vendor", d.vendor},
          {"platform", d.platform},
          {"version", d.version},
          {"driver", d.driver},
          {"is_cpu", d.is_cpu},
          {"compute_units", d.compute_units},
          {"clock_mhz", d.clock_mhz},
          {"max_group_size", d.max_group_size},
          {"max_group_sizes", d.max_group_sizes},
          {"local_memory_bytes", d.local_memory_bytes},
          {"local_memory_on_chip", d.local_memory_on_chip},
          {"has_unified_memory", d.has_unified_memory},
          {"global_memory_bytes", d.global_memory_bytes},
          {"max_allocation_bytes", d.max_allocation_bytes},
          {"constant_buffer_bytes", d.constant_buffer_bytes},
          {"global_cache_bytes", d.global_cache_bytes},
          {"global_cache_line_bytes", d.global_cache_line_bytes},
          {"buffer_alignment_bytes", d.buffer_alignment_bytes},
          {"timer_resolution_ns", d.timer_resolution_ns},
          {"preferred_group_multiple", d.preferred_group_multiple},
          {"registers_per_group", d.registers_per_group},
          {"native_vector_width_float", d.native_vector_width_float},
          {"fp16", d.has_fp16},
          {"fp64", d.has_fp64},
          {"sub_groups", d.has_sub_groups},
          {"sub_group_shuffle", d.has_sub_group_shuffle},
          {"sub_group_sizes", d.sub_group_sizes},
          {"matrix_units", d.has_matrix_units},
          {"integer_dot_product", d.has_integer_dot_product},
          {"images", d.has_images},
          {"image2d_max", {d.image_limits.width, d.image_limits.height}},
          {"image_array_layers_max", d.image_limits.layers},
          {"image1d_buffer_max", d.image_limits.buffer_texels},
          {"extensions", d.extensions}};
}

}  // namespace

Command add_devices_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "print all device properties as JSON");
  return [json] {
    const std::vector<DeviceInfo> devices = Device::list();
    if (*json) {
      auto list = nlohmann::ordered_json::array();
      for (const DeviceInfo& d : devices) list.push_back(device_json(d));
      fmt::print("{}\n", dump_json(list, 2));
      return 0;
    }
    if (devices.empty()) {
      fmt::print(
          "no device found; on Debian, `apt-get install pocl-opencl-icd` installs a driver that runs kernels "
          "on the CPU\n");
      return 0;
    }
    for (const DeviceInfo& d : devices) fmt::print("{}", describe_for_people(d));
    return 0;
  };
}

}  // namespace tensordsl::cli

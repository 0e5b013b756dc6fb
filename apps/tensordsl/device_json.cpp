#include "apps/tensordsl/device_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace tensordsl::cli {

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

}  // namespace tensordsl::cli

#include "runtime/device/device_key.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "runtime/device/program_cache.h"

namespace tensordsl::runtime {
namespace {

void add(ProgramKey& key, const std::string& text) { key.add(text); }

template <typename Number>
void add(ProgramKey& key, const Number& number) {
  key.add(fmt::format("{}", number));
}

template <typename Value>
void add_list(ProgramKey& key, const Value& values) {
  add(key, values.size());
  for (const auto& value : values) add(key, value);
}

template <typename Value>
void add(ProgramKey& key, const std::vector<Value>& values) {
  add_list(key, values);
}

void add(ProgramKey& key, const std::array<std::int64_t, 3>& values) { add_list(key, values); }

void add(ProgramKey& key, const std::optional<std::int64_t>& value) {
  key.add(value ? fmt::format("{}", *value) : "none");
}

void add(ProgramKey& key, const ImageLimits& limits) {
  const auto& [width, height, layers, buffer_texels] = limits;
  for (const std::int64_t limit : {width, height, layers, buffer_texels}) add(key, limit);
}

}  // namespace

std::string device_key(const DeviceInfo& info) {
  // A field that is new in DeviceInfo does not compile until it has a name here.
  const auto& [name, vendor, version, driver, platform, backend, platform_number, device_number, is_cpu,
               is_gpu, compute_units, max_group_sizes, max_group_size, local_memory_bytes,
               local_memory_on_chip, has_unified_memory, private_memory_bytes, group_private_memory_bytes,
               global_memory_bytes, max_allocation_bytes, constant_buffer_bytes, global_cache_bytes,
               global_cache_line_bytes, buffer_alignment_bytes, timer_resolution_ns, preferred_group_multiple,
               registers_per_group, native_vector_width_float, has_fp16, has_fp64, has_sub_groups,
               has_sub_group_shuffle, sub_group_sizes, has_matrix_units, has_integer_dot_product, has_images,
               image_limits, max_read_images, max_write_images, clock_mhz, extensions] = info;
  ProgramKey key;
  const auto add_all = [&](const auto&... fields) { (add(key, fields), ...); };
  add_all(name, vendor, version, driver, platform, backend, platform_number, device_number, is_cpu, is_gpu,
          compute_units, max_group_sizes, max_group_size, local_memory_bytes, local_memory_on_chip,
          has_unified_memory, private_memory_bytes, group_private_memory_bytes, global_memory_bytes,
          max_allocation_bytes, constant_buffer_bytes, global_cache_bytes, global_cache_line_bytes,
          buffer_alignment_bytes, timer_resolution_ns, preferred_group_multiple, registers_per_group,
          native_vector_width_float, has_fp16, has_fp64, has_sub_groups, has_sub_group_shuffle,
          sub_group_sizes, has_matrix_units, has_integer_dot_product, has_images, image_limits,
          max_read_images, max_write_images, clock_mhz, extensions);
  return key.built_from;
}

}  // namespace tensordsl::runtime

#include "pipeline/lower_options.h"

namespace tensordsl {

lower::LowerOptions lower_options(const DeviceInfo* device, const Backend* backend) {
  lower::LowerOptions options;
  if (backend) options.code = {backend->vector_widths(), backend->division()};
#ifndef NDEBUG
  options.verify = true;
#endif
  if (!device) return options;
  options.image_limits = device->image_limits;
  options.constant_bytes = device->constant_buffer_bytes;
  options.private_memory = {device->private_memory_bytes, device->group_private_memory_bytes};
  options.has_fp16 = device->has_fp16;
  options.has_fp64 = device->has_fp64;
  options.has_integer_dot_product = device->has_integer_dot_product;
  options.sub_groups = lower::SubGroups{device->has_sub_groups, device->has_sub_group_shuffle,
                                        device->sub_group_sizes, device->has_matrix_units};
  return options;
}

}  // namespace tensordsl

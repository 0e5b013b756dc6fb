#include "tune/rank/roofline.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"

namespace tensordsl::tune {
namespace {

std::int64_t moved_bytes(const StoredTensor& stored) {
  std::int64_t elements = 1;
  for (const Expr& extent : stored.extents) {
    const std::int64_t* number = ir::as_int(extent);
    elements *= number ? *number : 64;
  }
  return elements * stored.type.bytes();
}

/// Returns the bytes per microsecond of the nearest memory that holds `bytes`: tensors of that size stay
/// there after a use.
double bandwidth_for(std::int64_t bytes, const predict::DeviceFigures& device) {
  const auto has_room = [&](const predict::MemoryLevel& level) {
    return level.bytes * (level.is_shared ? 1 : device.units) >= static_cast<double>(bytes);
  };
  const auto level = std::ranges::find_if(device.buffers, has_room);
  return (level == device.buffers.end() ? device.buffers.back() : *level).bytes_per_clock *
         device.clocks_per_us;
}

}  // namespace

std::int64_t bytes_of(const definitions::StoredGroup& group) {
  std::int64_t bytes = 0;
  for (const definitions::GroupOperand& operand : group.operands) bytes += moved_bytes(operand.stored);
  for (const StoredTensor& stored : group.stored) bytes += moved_bytes(stored);
  return bytes;
}

double peak_flops_of_us(const predict::DeviceFigures& device) {
  const double of_clock =
      device.runs_in_step ? device.issues * device.warp * device.vector_lanes : 2.0 * device.vector_lanes;
  return 2 * of_clock * device.units * device.clocks_per_us;
}

double floor_of(const definitions::StoredGroup& group, std::int64_t flops,
                const predict::DeviceFigures& device) {
  const std::int64_t bytes = bytes_of(group);
  return std::max(static_cast<double>(flops) / peak_flops_of_us(device),
                  static_cast<double>(bytes) / bandwidth_for(bytes, device));
}

}  // namespace tensordsl::tune

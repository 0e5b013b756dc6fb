#include "tune/trial/eviction_program.h"

#include <algorithm>

#include "tensordsl/pipeline.h"

namespace tensordsl::tune {
namespace {

constexpr int kLanes = 16, kPerGroup = 1 << 14;
// Bytes to evict where the profile has no figure, and the most.
constexpr double kLikelyBytes = 2 << 20, kMostBytes = 64 << 20;

}  // namespace

std::shared_ptr<const Program> eviction_program(const predict::DeviceFigures& device,
                                                const std::optional<DeviceInfo>& info) {
  if (device.runs_in_step) return nullptr;
  double of_unit = 0;
  for (const predict::MemoryLevel& level : device.buffers) {
    if (!level.is_shared && level.bytes < kMostBytes) of_unit = std::max(of_unit, level.bytes);
  }
  if (of_unit <= 0) of_unit = kLikelyBytes;
  const double bytes = std::min(kMostBytes, 2 * of_unit * std::max(1.0, device.units));
  const int groups = std::max(2, static_cast<int>(bytes / (kPerGroup * sizeof(float))));
  const Var i("i"), group("group"), in_group("in_group");
  const Input from("from", Float(32), {groups * kPerGroup});
  Func to("evicted");
  to(i) = from(i) + 1.0f;
  to.bound({groups * kPerGroup})
      .split(i, group, in_group, kPerGroup)
      .vectorize(in_group, kLanes)
      .gpu_blocks(group);
  const Pipeline pipeline(to);
  return std::make_shared<const Program>(info ? pipeline.compile(*info) : pipeline.compile());
}

}  // namespace tensordsl::tune

#include "schedules/pointwise/data_movement.h"

#include <algorithm>

#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

void schedule_output(Func f, const StoredTensor& stored, const Point& point, const Target& target) {
  const std::vector<std::int64_t> extents = likely_shape(stored);
  const std::vector<int> order = memory_order(stored.layout);
  std::vector<Var> loops;
  for (const int d : order) loops.push_back(dim_of(f, d));
  f.reorder(loops);
  const Var io("io"), iv("iv");
  f.split(loops.back(), io, iv, point["lanes"], Tail::Guard);
  if (point["lanes"] > 1) f.vectorize(iv);
  loops.back() = io;
  if (point["items"] > 1) {
    f.gpu_tile(fuse_all(f, loops, "item"), point["items"], Tail::Guard);
    return;
  }
  std::vector<Var> blocks{loops[0]};
  std::int64_t groups = extents[static_cast<std::size_t>(order[0])];
  for (std::size_t i = 1; i + 1 < loops.size() && groups < 8 * target.compute_units; ++i) {
    blocks.push_back(loops[i]);
    groups *= extents[static_cast<std::size_t>(order[i])];
  }
  f.gpu_blocks(fuse_all(f, blocks, "rows"));
}

}  // namespace

bool applies_data_movement(const StoredGroup&, const Target&) { return true; }

Space data_movement_space(const StoredGroup& group, const Target& target) {
  const StoredTensor& stored = group.stored[0];
  const auto innermost = static_cast<std::size_t>(memory_order(stored.layout).back());
  const std::int64_t width = likely_shape(stored)[innermost];
  int lanes = is_known(stored, static_cast<int>(innermost)) ? target.vector_width : 1;
  // Where a work-group is a thread, whole vectors and a rest are faster than narrow vectors; elsewhere
  // work-items side by side make the vectors.
  const bool takes_rest = target.group_items == 1 && width >= lanes;
  if (!takes_rest) lanes = power_dividing(width, lanes);
  return {{{"lanes", powers_of_two(16)}, {"items", powers_of_two(256)}},
          {{"lanes", lanes}, {"items", target.group_items}}};
}

bool data_movement_writes_texels(const StoredGroup& group, const Point& point) {
  const auto is_accumulated = [](const Func& func) { return func.contents().definitions.size() > 1; };
  for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    if (std::ranges::any_of(*funcs, is_accumulated)) return false;
  }
  return group.outputs.size() == 1 && point["lanes"] % 4 == 0;
}

bool data_movement_reads_texels(const StoredGroup& group, const Point& point, std::size_t operand) {
  return data_movement_writes_texels(group, point) && reads_in_fours(group, operand, false);
}

void apply_data_movement(const StoredGroup& group, const Point& point, const Target& target) {
  for (std::size_t i = 0; i < group.outputs.size(); ++i)
    schedule_output(group.outputs[i], group.stored[i], point, target);
}

}  // namespace tensordsl::schedules

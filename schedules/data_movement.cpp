#include "schedules/data_movement.h"

#include <algorithm>
#include <string>

#include "schedule/schedule.h"

namespace tensordsl::schedules {
namespace {

Var dim_of(const Func& f, int dim) { return Var(f.contents().dims[static_cast<std::size_t>(dim)]); }

/// All of `loops` as one loop; the only one as itself.
Var fuse_all(Stage& stage, const std::vector<Var>& loops, const std::string& name) {
  Var fused = loops[0];
  for (std::size_t i = 1; i < loops.size(); ++i) {
    const Var next(i + 1 == loops.size() ? name : name + std::to_string(i));
    stage.fuse(fused, loops[i], next);
    fused = next;
  }
  return fused;
}

}  // namespace

void schedule_data_movement(Func f, const std::vector<std::int64_t>& extents, const std::vector<int>& order,
                            const Target& target) {
  const int innermost = order.back();
  const std::int64_t width = extents[static_cast<std::size_t>(innermost)];
  std::vector<Var> loops;
  for (const int d : order) loops.push_back(dim_of(f, d));
  f.reorder(loops);
  int lanes = target.vector_width;
  while (lanes > 1 && width % lanes != 0) lanes /= 2;
  const Var io("io"), iv("iv");
  f.split(loops.back(), io, iv, lanes, Tail::Guard);
  if (lanes > 1) f.vectorize(iv);
  loops.back() = io;
  if (target.group_items > 1) {
    const Var item = fuse_all(f, loops, "item");
    f.gpu_tile(item, target.group_items, Tail::Guard);
    return;
  }
  // On a CPU the outer loops become groups, as few of them as keep the units busy; the inner ones stay loops.
  std::vector<Var> blocks{loops[0]};
  std::int64_t groups = extents[static_cast<std::size_t>(order[0])];
  for (std::size_t i = 1; i + 1 < loops.size() && groups < 8 * target.compute_units; ++i) {
    blocks.push_back(loops[i]);
    groups *= extents[static_cast<std::size_t>(order[i])];
  }
  f.gpu_blocks(fuse_all(f, blocks, "rows"));
}

void schedule_row_reduction(Func f, const Target& target) {
  f.compute_root();
  for (int stage = 0; stage <= f.updates(); ++stage) {
    Stage s = stage == 0 ? Stage(f) : f.update(stage - 1);
    std::vector<Var> loops;
    for (int d = 0; d < f.rank(); ++d) loops.push_back(dim_of(f, d));
    const Var item = fuse_all(s, loops, "item");
    if (target.group_items > 1) {
      s.gpu_tile(item, target.group_items, Tail::Guard);
    } else {
      s.gpu_blocks(item);
    }
  }
}

}  // namespace tensordsl::schedules

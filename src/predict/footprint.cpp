#include "predict/footprint.h"

#include <algorithm>
#include <cmath>

namespace tensordsl::predict {
namespace {

double bytes_in_loops(const AccessWork& access, std::size_t depth, double line_bytes) {
  std::vector<Repetition> all = access.together;
  for (std::size_t i = depth; i < access.loops.size(); ++i) all.push_back(access.loops[i]);
  return bytes_touched(access.bytes, std::move(all), line_bytes);
}

/// Returns the share of the iterations of the loops and work-groups around an access in which it is made.
double share_of(const AccessWork& access) {
  double most = 1;
  for (const Repetition& loop : access.loops) most *= loop.times;
  return most > 0 ? std::min(1.0, access.times / most) : 0;
}

/// Returns the bytes that as many work-groups, neighbors, touch in an iteration of the loops `depth` deep.
double bytes_of_groups(const AccessWork& access, std::size_t depth, double groups, double line_bytes) {
  std::vector<Repetition> all = access.together;
  for (std::size_t i = depth; i < access.loops.size(); ++i) all.push_back(access.loops[i]);
  for (const Repetition& dimension : access.groups) {
    const double times = std::min(dimension.times, std::ceil(groups));
    all.push_back({times, dimension.bytes});
    groups /= std::max(1.0, times);
  }
  return bytes_touched(access.bytes, std::move(all), line_bytes) * share_of(access);
}

}  // namespace

double bytes_of_iteration(const KernelWork& work, std::size_t depth, bool (*is_counted)(const AccessWork&),
                          double line_bytes) {
  double bytes = 0;
  for (const AccessWork& access : work.accesses) {
    if (is_counted(access) && access.times > 0 && access.loops.size() >= depth)
      bytes += bytes_in_loops(access, depth, line_bytes);
  }
  return bytes;
}

double bytes_past_unit_cache(const KernelWork& work, const AccessWork& access, double cache_bytes,
                             const std::vector<double>& iteration_bytes, double line_bytes) {
  // Loops whose iterations fit the cache share what they touch; those around them repeat it.
  std::size_t depth = access.loops.size();
  while (depth > 0 && depth < iteration_bytes.size() && iteration_bytes[depth] <= cache_bytes) --depth;
  double bytes = bytes_in_loops(access, depth, line_bytes);
  for (std::size_t i = 0; i < depth; ++i) bytes *= access.loops[i].times;
  return bytes * share_of(access) * work.groups;
}

double bytes_past_shared_cache(const KernelWork& work, bool (*is_counted)(const AccessWork&),
                               double cache_bytes, double groups, double line_bytes) {
  std::size_t deepest = 0;
  for (const AccessWork& access : work.accesses) {
    if (is_counted(access)) deepest = std::max(deepest, access.loops.size());
  }
  const auto bytes_together = [&](std::size_t depth, double of_groups) {
    double bytes = 0;
    for (const AccessWork& access : work.accesses) {
      if (is_counted(access) && access.place != Place::Private && access.loops.size() >= depth)
        bytes += bytes_of_groups(access, depth, of_groups, line_bytes);
    }
    return bytes;
  };
  if (bytes_together(0, groups) <= cache_bytes) return bytes_together(0, work.groups);
  std::size_t depth = 1;
  while (depth < deepest && bytes_together(depth, groups) > cache_bytes) ++depth;
  double bytes = 0;
  for (const AccessWork& access : work.accesses) {
    if (!is_counted(access) || access.place == Place::Private) continue;
    const std::size_t outer = std::min(depth, access.loops.size());
    double times = work.groups / groups;
    for (std::size_t i = 0; i < outer; ++i) times *= access.loops[i].times;
    // An iteration fetches lines, as far as the next one does not use their rest.
    const double of_step = outer > 0 ? std::min(line_bytes, access.loops[outer - 1].bytes) : 0;
    bytes += times * std::max(of_step, bytes_of_groups(access, depth, groups, line_bytes));
  }
  return bytes;
}

}  // namespace tensordsl::predict

#include "predict/footprint.h"

#include <algorithm>

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
                               double cache_bytes, const std::vector<double>& iteration_bytes,
                               double line_bytes) {
  const bool is_shared = !iteration_bytes.empty() && iteration_bytes[0] <= cache_bytes;
  double bytes = 0;
  for (const AccessWork& access : work.accesses) {
    if (!is_counted(access) || access.place == Place::Private) continue;
    if (!is_shared) {
      bytes += bytes_past_unit_cache(work, access, cache_bytes, iteration_bytes, line_bytes);
      continue;
    }
    std::vector<Repetition> all = access.together;
    all.insert(all.end(), access.loops.begin(), access.loops.end());
    all.insert(all.end(), access.groups.begin(), access.groups.end());
    bytes += bytes_touched(access.bytes, std::move(all), line_bytes) * share_of(access);
  }
  return bytes;
}

}  // namespace tensordsl::predict

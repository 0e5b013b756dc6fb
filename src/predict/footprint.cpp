#include "predict/footprint.h"

#include <algorithm>
#include <map>
#include <string>

namespace tensordsl::predict {
namespace {

/// A footprint in memory: a number of bytes within a span.
struct Touched {
  double bytes = 0, span = 0;

  /// Adds copies of the footprint for each repetition, at its distance.
  void repeat(const Repetition& repetition, double line_bytes) {
    if (repetition.times <= 1 || repetition.bytes == 0) return;
    const double wider = span + repetition.bytes * (repetition.times - 1);
    if (repetition.bytes >= span) {
      // Gaps are not fetched, except for the rest of lines.
      const double apart = std::min(repetition.bytes, std::max(bytes, line_bytes));
      bytes = std::max(bytes, apart) * repetition.times;
    } else {
      bytes = std::min(bytes * repetition.times, bytes * wider / span);
    }
    span = wider;
  }
};

Touched at_once(const AccessWork& access, double line_bytes) {
  return {std::max(access.group_bytes, std::min(line_bytes, access.group_span)),
          std::max(access.group_span, access.group_bytes)};
}

/// Merges accesses of one name, such as a tensor's: those that differ by an offset touch overlapping memory.
class OfTensors {
 public:
  void add(const std::string& name, const AccessWork& access, const Touched& touched) {
    OfTensor& tensor = tensors_[name];
    tensor.sum += touched.bytes;
    tensor.first = tensor.is_first ? access.first : std::min(tensor.first, access.first);
    tensor.last = std::max(tensor.is_first ? 0 : tensor.last, access.first + touched.span);
    tensor.is_first = false;
  }
  double bytes() const {
    double bytes = 0;
    for (const auto& [name, tensor] : tensors_) bytes += std::min(tensor.sum, tensor.last - tensor.first);
    return bytes;
  }

 private:
  struct OfTensor {
    double sum = 0, first = 0, last = 0;
    bool is_first = true;
  };
  std::map<std::string, OfTensor> tensors_;
};

/// Loops that step far are outside those that step near, so that rows become areas.
std::vector<Repetition> near_first(std::vector<Repetition> repetitions) {
  std::ranges::stable_sort(repetitions, {}, &Repetition::bytes);
  return repetitions;
}

Touched in_loops(const AccessWork& access, std::size_t depth, double line_bytes) {
  Touched touched = at_once(access, line_bytes);
  const std::size_t first = std::min(depth, access.loops.size());
  std::vector<Repetition> inner(access.loops.begin() + static_cast<std::ptrdiff_t>(first),
                                access.loops.end());
  for (const Repetition& loop : near_first(std::move(inner))) touched.repeat(loop, line_bytes);
  return touched;
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
  OfTensors tensors;
  for (const AccessWork& access : work.accesses) {
    if (is_counted(access) && access.times > 0 && access.loops.size() >= depth)
      tensors.add(access.tensor, access, in_loops(access, depth, line_bytes));
  }
  return tensors.bytes();
}

double bytes_past_unit_cache(const KernelWork& work, const AccessWork& access, double cache_bytes,
                             const std::vector<double>& iteration_bytes, double line_bytes) {
  Touched touched = at_once(access, line_bytes);
  for (std::size_t depth = access.loops.size(); depth-- > 0;) {
    const bool stays = depth + 1 < iteration_bytes.size() && iteration_bytes[depth + 1] <= cache_bytes;
    if (stays) {
      touched.repeat(access.loops[depth], line_bytes);
    } else {
      touched.bytes *= access.loops[depth].times;
    }
  }
  return touched.bytes * share_of(access) * work.groups;
}

double bytes_past_shared_cache(const KernelWork& work, bool (*is_counted)(const AccessWork&),
                               double cache_bytes, const std::vector<double>& iteration_bytes,
                               double line_bytes) {
  const bool is_shared = !iteration_bytes.empty() && iteration_bytes[0] <= cache_bytes;
  OfTensors tensors;
  double bytes = 0;
  for (const AccessWork& access : work.accesses) {
    if (!is_counted(access) || access.place == Place::Private) continue;
    if (!is_shared) {
      bytes += bytes_past_unit_cache(work, access, cache_bytes, iteration_bytes, line_bytes);
      continue;
    }
    // A row of tiles is a row of memory: its groups come before the loop over the rows of one of them.
    Touched touched = at_once(access, line_bytes);
    std::vector<Repetition> all(access.loops);
    all.insert(all.end(), access.groups.begin(), access.groups.end());
    for (const Repetition& repetition : near_first(std::move(all))) touched.repeat(repetition, line_bytes);
    touched.bytes *= share_of(access);
    // A tensor that is read and written passes the cache twice.
    tensors.add(access.tensor + (access.is_store ? " stored" : " loaded"), access, touched);
  }
  return bytes + tensors.bytes();
}

}  // namespace tensordsl::predict

#include "predict/repetitions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tensordsl::predict {
namespace {

/// A footprint in memory, in pieces of equal size.
struct Footprint {
  double bytes = 0, span = 0, pieces = 1;

  void repeat(const Repetition& repetition, double line_bytes) {
    const double piece = bytes / pieces, further = repetition.bytes * (repetition.times - 1);
    if (repetition.bytes <= piece) {
      bytes = pieces * (piece + further);  // pieces grow
    } else {
      // New pieces: behind the others, or between them.
      const double fetched =
          repetition.bytes >= span ? std::min(repetition.bytes, std::max(bytes, line_bytes)) : bytes;
      bytes = std::max(bytes, fetched) * repetition.times;
      pieces *= repetition.times;
    }
    span += further;
    if (bytes < span) return;
    bytes = span;
    pieces = 1;
  }
};

}  // namespace

std::vector<Repetition> joined(std::vector<Repetition> repetitions) {
  std::erase_if(repetitions, [](const Repetition& r) { return r.times <= 1 || r.bytes == 0; });
  std::ranges::stable_sort(repetitions, {}, &Repetition::bytes);
  std::vector<Repetition> result;
  for (const Repetition& repetition : repetitions) {
    const double reach = result.empty() ? 0 : repetition.bytes / result.back().bytes;
    if (!result.empty() && reach <= result.back().times && reach == std::floor(reach)) {
      result.back().times += (repetition.times - 1) * reach;
    } else {
      result.push_back(repetition);
    }
  }
  return result;
}

std::vector<Repetition> repetitions_of(std::vector<std::int64_t> offsets) {
  std::ranges::sort(offsets);
  offsets.erase(std::ranges::unique(offsets).begin(), offsets.end());
  std::vector<Repetition> repetitions;
  while (offsets.size() > 1) {
    const std::int64_t gap = offsets[1] - offsets[0];
    std::size_t run = 2;
    while (run < offsets.size() && offsets[run] - offsets[run - 1] == gap) ++run;
    bool is_regular = offsets.size() % run == 0;
    for (std::size_t i = 0; is_regular && i < offsets.size(); ++i)
      is_regular = i % run == 0 || offsets[i] - offsets[i - 1] == gap;
    if (!is_regular) {
      const auto steps = static_cast<double>(offsets.size() - 1);
      repetitions.push_back({steps + 1, static_cast<double>(offsets.back() - offsets.front()) / steps});
      break;
    }
    repetitions.push_back({static_cast<double>(run), static_cast<double>(gap)});
    std::vector<std::int64_t> first;
    for (std::size_t i = 0; i < offsets.size(); i += run) first.push_back(offsets[i]);
    offsets = std::move(first);
  }
  return repetitions;
}

double addresses_of(const std::vector<Repetition>& repetitions) {
  double addresses = 1;
  for (const Repetition& repetition : repetitions) addresses *= repetition.times;
  return addresses;
}

double bytes_touched(double access_bytes, std::vector<Repetition> repetitions, double line_bytes) {
  Footprint touched{access_bytes, access_bytes};
  for (const Repetition& repetition : joined(std::move(repetitions))) touched.repeat(repetition, line_bytes);
  return std::max(touched.bytes, std::min(line_bytes, touched.span));
}

}  // namespace tensordsl::predict

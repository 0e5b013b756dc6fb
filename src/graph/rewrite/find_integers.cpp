#include "graph/rewrite/find_integers.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace tensordsl::graph {
namespace {

constexpr int kMostOfByte = 255;

/// The weights of one scale.
class ScaleGroup {
 public:
  void clear() { numbers_.clear(); }
  std::size_t size() const { return numbers_.size(); }
  /// Zeros are q = 0 by any scale.
  void add(float weight) {
    if (weight == 0) return;
    numbers_.push_back(weight);
    if (std::abs(weight) > std::abs(numbers_.front())) std::swap(numbers_.front(), numbers_.back());
  }

  /// Returns the largest scale by which all weights are integers; nullopt if there is none.
  std::optional<float> scale() {
    if (numbers_.empty()) return 1.0F;
    for (int n = 1; n <= kMostOfByte; ++n) {
      const double about = static_cast<double>(std::abs(numbers_.front())) / n;
      if (!are_near(about)) continue;
      // The largest weight was rounded, so that the scale is this one or a neighbor of it.
      const float middle = static_cast<float>(about);
      for (const float s : {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, FLT_MAX)})
        if (s >= FLT_MIN && are_exact(s)) return s;
    }
    return std::nullopt;
  }

 private:
  /// True if all weights are integers up to the rounding of q*s and of the largest weight. The first one that
  /// is not is checked first the next time.
  bool are_near(double scale) {
    constexpr double kMostOff = 1.0 / (1 << 14);  // 255 * 2^-23 is less
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const double q = numbers_[i] / scale, nearest = std::nearbyint(q);
      if (nearest != 0 && std::abs(q - nearest) <= kMostOff) continue;
      if (i > 1) std::swap(numbers_[i], numbers_[1]);
      return false;
    }
    return true;
  }

  bool are_exact(float scale) const {
    return std::ranges::all_of(
        numbers_, [&](float weight) { return std::nearbyint(weight / scale) * scale == weight; });
  }

  std::vector<float> numbers_;  // the largest first
};

/// Runs of neighbors along each dimension, one group after the other in row-major order.
class ScaleGroups {
 public:
  ScaleGroups(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& runs)
      : shape_(shape), runs_(runs), first_(shape.size(), 0) {
    for (std::size_t d = 0; d < shape.size(); ++d)
      if (runs[d] == 0) runs_[d] = shape[d];
  }

  /// Calls `visit` with the position of each weight of the current group, until it returns false.
  template <typename Visit>
  void each(const Visit& visit) const {
    visit_from(0, 0, visit);
  }

  /// Goes to the next group. Returns false after the last one.
  bool next() {
    for (std::size_t d = shape_.size(); d-- > 0;) {
      first_[d] += runs_[d];
      if (first_[d] < shape_[d]) return true;
      first_[d] = 0;
    }
    return false;
  }

 private:
  template <typename Visit>
  bool visit_from(std::size_t dim, std::int64_t place, const Visit& visit) const {
    const std::int64_t end = std::min(first_[dim] + runs_[dim], shape_[dim]);
    for (std::int64_t i = first_[dim]; i < end; ++i) {
      const std::int64_t at = place * shape_[dim] + i;
      const bool is_last = dim + 1 == shape_.size();
      if (!(is_last ? visit(static_cast<std::size_t>(at)) : visit_from(dim + 1, at, visit))) return false;
    }
    return true;
  }

  std::vector<std::int64_t> shape_, runs_;
  std::vector<std::int64_t> first_;
};

/// Chooses the type, and the offset by which all fit into it; `form.integers` are q + offset before.
void choose_type(IntegerForm& form) {
  const std::span<float> integers = form.integers.as<float>();
  const auto [least, most] = std::ranges::minmax(integers);
  if (least >= std::numeric_limits<std::int8_t>::min() && most <= std::numeric_limits<std::int8_t>::max()) {
    form.stored_as = Int(8);
  } else if (most - std::min(least, 0.0F) <= kMostOfByte) {
    form.stored_as = UInt(8);
    form.offset = static_cast<int>(std::min(least, 0.0F));
    for (float& q : integers) q -= static_cast<float>(form.offset);
  } else {
    form.stored_as = Int(16);
  }
}

}  // namespace

std::optional<IntegerForm> integers_of(const Buffer& weights, const std::vector<std::int64_t>& runs) {
  constexpr std::size_t kFirst = 16;  // enough weights of a scale to reject most that are not integers
  const std::vector<std::int64_t>& shape = weights.shape();
  const std::span<const float> from = weights.as<float>();
  std::vector<float> found;
  ScaleGroup group;
  ScaleGroups groups(shape, runs);
  do {
    for (const std::size_t most : {kFirst, from.size()}) {
      group.clear();
      groups.each([&](std::size_t i) {
        group.add(from[i]);
        return group.size() < most;
      });
      const auto scale = group.scale();
      if (!scale) return std::nullopt;
      if (most == from.size()) found.push_back(*scale);
    }
  } while (groups.next());

  std::vector<std::int64_t> of_scales;
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (runs[d] > 0) of_scales.push_back((shape[d] + runs[d] - 1) / runs[d]);
  if (of_scales.empty()) of_scales = {1};
  IntegerForm form{Buffer(Float(32), shape), Int(8), 0, runs, Buffer(Float(32), of_scales)};
  std::ranges::copy(found, form.scales.as<float>().begin());
  const std::span<float> to = form.integers.as<float>();
  groups = ScaleGroups(shape, runs);
  auto scale = found.begin();
  do {
    groups.each([&](std::size_t i) {
      to[i] = std::nearbyint(from[i] / *scale);
      return true;
    });
    ++scale;
  } while (groups.next());
  choose_type(form);
  return form;
}

}  // namespace tensordsl::graph

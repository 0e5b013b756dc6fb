#include "hwprofile/analysis/agree.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "hwprofile/profile_fields.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kSameValue = 1.1;  // largest ratio of confident values that agree
constexpr double kSameLevel = 1.5;  // largest ratio of sizes of one level

std::optional<Measurement> agreed_value(const std::optional<Measurement>& a,
                                        const std::optional<Measurement>& b, bool is_count) {
  if (!a || !b) {
    std::optional<Measurement> one = a ? a : b;
    if (one) one->confident = false;
    return one;
  }
  // A value between two counts was never observed; equal values are not changed, to the last digit.
  const double value = is_count || a->value == b->value ? a->value : std::sqrt(a->value * b->value);
  const double ratio = std::max(a->value, b->value) / std::min(a->value, b->value);
  return Measurement{value, std::min(a->low, b->low), std::max(a->high, b->high),
                     a->confident && b->confident && ratio <= kSameValue};
}

std::optional<BoolMeasurement> agreed_value(const std::optional<BoolMeasurement>& a,
                                            const std::optional<BoolMeasurement>& b) {
  if (a && b && a->value != b->value) {
    // A confident result is preferred to one that is not.
    if (a->confident == b->confident) return std::nullopt;
    return BoolMeasurement{a->confident ? a->value : b->value, false};
  }
  std::optional<BoolMeasurement> one = a ? a : b;
  if (one) one->confident = a && b && a->confident && b->confident;
  return one;
}

/// The figures and findings of a profile, in the order of its fields; levels of caches aside.
class Collector {
 public:
  std::vector<std::optional<Measurement>*> figures;
  std::vector<bool> is_count;
  std::vector<std::optional<BoolMeasurement>*> findings;

  void text(const char*, std::string&) {}
  void texts(const char*, std::vector<std::string>&) {}
  void numbers(const char*, std::vector<int>&) {}
  void steps(const char*, std::vector<OccupancyStep>&) {}
  void field(const char* name, const char* unit, std::optional<Measurement>& f) {
    figures.push_back(&f);
    is_count.push_back(!*unit || std::string_view(name) == "line_bytes");
  }
  void field(const char*, const char*, std::optional<BoolMeasurement>& f) { findings.push_back(&f); }
  template <typename F>
  void group(const char*, F visit) {
    visit();
  }
  void levels(const char*, std::vector<CacheLevel>&) {}
};

void agree_in(Collector& into, const Collector& other) {
  for (std::size_t i = 0; i < into.figures.size(); ++i)
    *into.figures[i] = agreed_value(*into.figures[i], *other.figures[i], into.is_count[i]);
  for (std::size_t i = 0; i < into.findings.size(); ++i)
    *into.findings[i] = agreed_value(*into.findings[i], *other.findings[i]);
}

std::vector<CacheLevel> agreed_value(const std::vector<CacheLevel>& a, const std::vector<CacheLevel>& b) {
  std::vector<CacheLevel> levels;
  std::size_t next = 0;
  for (CacheLevel level : a) {
    const auto is_same = [&](const CacheLevel& other) {
      if (!level.bytes || !other.bytes) return !level.bytes && !other.bytes;
      return std::max(level.bytes->value, other.bytes->value) <=
             kSameLevel * std::min(level.bytes->value, other.bytes->value);
    };
    const auto found = std::find_if(b.begin() + static_cast<std::ptrdiff_t>(next), b.end(), is_same);
    if (found == b.end()) continue;
    next = static_cast<std::size_t>(found - b.begin()) + 1;
    CacheLevel twin = *found;
    Collector mine, others;
    visit_fields_of_level(level, mine);
    visit_fields_of_level(twin, others);
    agree_in(mine, others);
    levels.push_back(level);
  }
  return levels;
}

}  // namespace

HwProfile agreed(const HwProfile& first, const HwProfile& second) {
  HwProfile result = first, other = second;
  Collector mine, others;
  visit_fields(result, mine);
  visit_fields(other, others);
  agree_in(mine, others);
  result.buffer_caches = agreed_value(first.buffer_caches, second.buffer_caches);
  result.image_caches = agreed_value(first.image_caches, second.image_caches);
  return result;
}

}  // namespace tensordsl::hwprofile

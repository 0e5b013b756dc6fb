#include "hwprofile/analysis/steady.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "hwprofile/profile_fields.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kSameClock = 1.1;  // quotient of two clocks that count as one
constexpr double kAllThere = 1.15;  // one unit and all of them end at the same time but for this

class Doubt {
 public:
  explicit Doubt(bool of_everything) : of_everything_(of_everything) {}

  void text(const char*, const std::string&) {}
  void texts(const char*, const std::vector<std::string>&) {}
  void numbers(const char*, const std::vector<int>&) {}
  void steps(const char*, const std::vector<OccupancyStep>&) {}
  void field(const char* name, const char* unit, std::optional<Measurement>& f) {
    const std::string_view u = unit;
    const bool is_rate = u == "GFLOPS" || u == "Gop/s" || u == "GB/s" || u == "ns" || u == "us";
    const bool is_tick = std::string_view(name) == "event_resolution_ns";
    if (f && !is_tick && (is_rate || of_everything_)) f->confident = false;
  }
  void field(const char*, const char*, std::optional<BoolMeasurement>& f) {
    if (f && of_everything_) f->confident = false;
  }
  template <typename F>
  void group(const char*, F visit) {
    visit();
  }
  void levels(const char*, std::vector<CacheLevel>& levels) {
    for (CacheLevel& level : levels) visit_fields_of_level(level, *this);
  }

 private:
  bool of_everything_;
};

}  // namespace

bool Steadiness::has_one_clock() const { return clock <= kSameClock; }

bool Steadiness::is_alone() const { return load <= kAllThere; }

Steadiness steadiness(const std::vector<Calibration>& calibrations) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  double fastest = kUnknown, slowest = 0, load = 1;
  for (const Calibration& c : calibrations) {
    fastest = std::min(fastest, c.one_unit_ns);
    slowest = std::max(slowest, c.one_unit_ns);
    load = std::max(load, c.all_units_ns / c.one_unit_ns);
  }
  if (calibrations.empty()) return {kUnknown, kUnknown};
  return {slowest / fastest, load};
}

void doubt_unsteady(HwProfile& profile, const Steadiness& steadiness) {
  if (steadiness.has_one_clock() && steadiness.is_alone()) return;
  Doubt doubt(!steadiness.is_alone());
  visit_fields(profile, doubt);
}

void settle_contradictions(HwProfile& profile) {
  if (!profile.dram_gbs || !profile.copy_gbs) return;
  Measurement& read = *profile.dram_gbs;
  const Measurement& copy = *profile.copy_gbs;
  if (read.value >= copy.value) return;
  if (copy.value > kSameClock * read.value) {
    read.confident = false;
  } else {
    read.value = copy.value;
  }
  read.high = std::max(read.high, copy.value);
}

}  // namespace tensordsl::hwprofile

#include "graph/schedule/cheapest_schedule.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "graph/schedule/group_key.h"
#include "predict/predict_kernel.h"
#include "schedules/strategies.h"

namespace tensordsl::graph {
namespace {

using definitions::StoredGroup;
using schedules::Point;
using schedules::PricedChoice;
using schedules::Strategy;

/// The least gain of a step: what is smaller does not outweigh what the model leaves out.
constexpr double kLeastGain = 0.02;
/// Bounds the time of a search; nearly all end earlier.
constexpr int kRounds = 9;

/// True for a knob of few values, which changes what a kernel does rather than how much: where weights are,
/// which work-items are neighbors.
bool is_switch(const schedules::Knob& knob) {
  constexpr std::size_t kValues = 4;
  return knob.values.size() <= kValues;
}

/// Searches the configurations of one strategy.
class PointSearch {
 public:
  /// `most_kernels`: what makes more of the group has no price.
  PointSearch(SchedulePricer& pricer, const StoredGroup& group, const Strategy& strategy,
              const Target& target, std::size_t most_kernels)
      : pricer_(pricer),
        group_(group),
        strategy_(strategy),
        most_kernels_(most_kernels),
        space_(strategy.space(group, target)) {
    if (strategy.outlines) outlines_ = strategy.outlines(group, target);
    best_ = space_.first;
    price_ = price_of(best_);
  }

  const Strategy& strategy() const { return strategy_; }
  const Point& best() const { return best_; }
  /// Returns the price of best(), if it has one.
  const std::optional<double>& price() const { return price_; }

  /// Looks for a configuration with a price: changes knobs in turn, from the first one.
  void find_price() {
    for (const schedules::Knob& knob : space_.knobs) take_best_of({&knob});
  }

  /// Lowers the price knob by knob, and where that ends, by two switches at once: weights in buffers pay only
  /// where neighbors read the same ones. Needs: price().
  void descend() {
    for (int round = 0; round < kRounds; ++round) {
      const double before = *price_;
      for (const schedules::Knob& knob : space_.knobs) take_best_of({&knob});
      if (*price_ == before) take_best_of_switches();
      if (*price_ == before) return;
    }
  }

 private:
  void take_best_of_switches() {
    for (auto one = space_.knobs.begin(); one != space_.knobs.end(); ++one) {
      if (!is_switch(*one)) continue;
      for (auto other = std::next(one); other != space_.knobs.end(); ++other) {
        if (is_switch(*other)) take_best_of({&*one, &*other});
      }
    }
  }

  /// Tries all values of the knobs that they do not have.
  void take_best_of(const std::vector<const schedules::Knob*>& knobs) {
    const Point start = best_;
    try_values(knobs, start, 0);
  }

  void try_values(const std::vector<const schedules::Knob*>& knobs, const Point& start, std::size_t done) {
    if (done == knobs.size()) return consider(start);
    const schedules::Knob& knob = *knobs[done];
    for (const int value : knob.values) {
      if (value == start[knob.name]) continue;
      Point other = start;
      other.set(knob.name, value);
      try_values(knobs, other, done + 1);
    }
  }

  void consider(const Point& point) {
    const std::optional<double> price = price_of(point);
    if (!price || (price_ && *price * (1 + kLeastGain) >= *price_)) return;
    best_ = point;
    price_ = price;
  }

  std::optional<double> price_of(const Point& point) {
    std::vector<int> values;
    for (const schedules::Knob& knob : space_.knobs) values.push_back(point[knob.name]);
    const auto [known, is_new] = prices_.try_emplace(values);
    if (!is_new || (outlines_ && !outlines_(point))) return known->second;
    const auto needs_no_less = [&](const std::vector<int>& others) {
      return schedules::needs_no_less(space_.knobs, values, others);
    };
    // Skips scheduling and outlining, which take most of the time.
    if (std::ranges::any_of(too_large_, needs_no_less)) return std::nullopt;
    const std::optional<SchedulePrice> price = pricer_.price_of({&strategy_, point});
    if (pricer_.is_too_large()) too_large_.push_back(std::move(values));
    if (price && price->kernels <= most_kernels_) known->second = price->us;
    return known->second;
  }

  SchedulePricer& pricer_;
  const StoredGroup& group_;
  const Strategy& strategy_;
  std::size_t most_kernels_;
  schedules::Space space_;
  schedules::PointOutlines outlines_;
  /// Configurations by the values of the knobs, in their order.
  std::map<std::vector<int>, std::optional<double>> prices_;
  std::vector<std::vector<int>> too_large_;  ///< those that have too few registers, or too much text
  Point best_;
  std::optional<double> price_;
};

GroupSchedule cheapest(StoredGroup& group, const GroupSchedule& first, const Target& target,
                       SchedulePricer& pricer, bool knows_launches) {
  if (first.strategy->priced == PricedChoice::Elsewhere) return first;
  const std::optional<SchedulePrice> first_price = pricer.price_of(first);
  // Leaves refusals for local memory or images to their own passes.
  if (!first_price && !pricer.is_too_large()) return first;
  std::vector<PointSearch> searches;
  // A launch that is priced too low would make kernels of every step.
  const std::size_t most_kernels = knows_launches ? std::numeric_limits<std::size_t>::max()
                                   : first_price  ? first_price->kernels
                                                  : 1;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double best_price = first_price ? first_price->us : kNone;
  for (const Strategy& strategy : schedules::strategies()) {
    if (!strategy.applies(group, target)) continue;
    PointSearch search(pricer, group, strategy, target, most_kernels);
    // Where the first choice does not fit a work-item, what fits is not far from it.
    if (!search.price() && !first_price) search.find_price();
    if (!search.price()) continue;
    best_price = std::min(best_price, *search.price());
    searches.push_back(std::move(search));
  }
  GroupSchedule best = first;
  double least = kNone;
  for (PointSearch& search : searches) {
    if (*search.price() > predict::kHopelesslySlow * best_price) continue;
    if (search.strategy().priced == PricedChoice::Configuration) search.descend();
    // Prices of one strategy err alike.
    const double error = &search.strategy() == first.strategy ? kLeastGain : predict::kModelError;
    const double most = first_price ? first_price->us / (1 + error) : kNone;
    if (*search.price() >= std::min(least, most)) continue;
    best = {&search.strategy(), search.best()};
    least = *search.price();
  }
  return best;
}

}  // namespace

CheapestSchedules::CheapestSchedules(const HwProfile& profile, const std::optional<DeviceInfo>& device)
    : device_(predict::figures_of(profile)),
      knows_launches_(profile.launch_us.has_value()),
      most_local_bytes_(device ? device->local_memory_bytes : std::numeric_limits<std::int64_t>::max()) {}

GroupSchedule CheapestSchedules::of(StoredGroup& group, const GroupSchedule& first, const Target& target,
                                    const StoreConstants& store_constants) {
  Found* found = nullptr;
  {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Found>& known = found_[group_key(group, first)];
    if (!known) known = std::make_unique<Found>();
    found = known.get();
  }
  std::call_once(found->once, [&] {
    SchedulePricer pricer(group, target, device_, most_local_bytes_, store_constants);
    found->schedule = cheapest(group, first, target, pricer, knows_launches_);
  });
  return found->schedule;
}

}  // namespace tensordsl::graph

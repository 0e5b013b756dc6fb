#include "search/make_explorer.h"

#include <algorithm>
#include <cmath>

#include "search/fastest_trials.h"
#include "search/new_schedules.h"

namespace tensordsl::search {
namespace {

constexpr double kCooling = 0.93;  // of each call of propose()
constexpr double kColdest = 0.01;  // where a step that is 1 % slower is accepted one time in three

/// Several walks, as many as are proposed at once. Each continues from its last accepted step: a faster one
/// always, a slower one with the probability exp(-log(its time / the other's) / T).
class AnnealingExplorer final : public Explorer {
 public:
  AnnealingExplorer(const SearchView& view, std::uint64_t seed) : view_(view), random_(seed) {}
  std::vector<graph::GroupSchedule> propose(std::size_t count) override;

 private:
  struct Walk {
    Trial at;
    std::optional<graph::GroupSchedule> step;  // that was proposed, and is not accepted yet
  };

  void take_steps();
  void begin(std::size_t count);

  const SearchView& view_;
  RandomNumbers random_;
  std::vector<Walk> walks_;
  double temperature_ = 0.3;
};

void AnnealingExplorer::take_steps() {
  for (Walk& walk : walks_) {
    if (!walk.step) continue;
    const std::string text = text_of(*walk.step);
    const auto trial = std::ranges::find_if(
        view_.trials, [&](const Trial& t) { return t.measured.us && text_of(t.schedule) == text; });
    walk.step.reset();
    if (trial == view_.trials.end()) continue;
    const double slower = walk.at.measured.us ? std::log(*trial->measured.us / *walk.at.measured.us) : 0;
    if (slower <= 0 || random_.with_probability(std::exp(-slower / temperature_))) walk.at = *trial;
  }
}

/// From the fastest that were timed.
void AnnealingExplorer::begin(std::size_t count) {
  const std::vector<Trial> timed = fastest_trials(view_.trials, count);
  while (walks_.size() < count) {
    if (walks_.size() < timed.size()) {
      walks_.push_back({timed[walks_.size()], std::nullopt});
    } else {
      walks_.push_back({{random_point(view_.space, random_)}, std::nullopt});
    }
  }
}

std::vector<graph::GroupSchedule> AnnealingExplorer::propose(std::size_t count) {
  take_steps();
  begin(count);
  NewSchedules schedules(view_, count);
  for (std::size_t i = 0; i < count; ++i) {
    // Where all neighbors are known, any other schedule is as good.
    NewSchedules one(view_, 1);
    constexpr std::size_t kSteps = 4;
    fill(one, kSteps, [&] {
      constexpr double kElsewhere = 0.05;
      return random_.with_probability(kElsewhere) ? random_point(view_.space, random_)
                                                  : neighbor(view_.space, walks_[i].at.schedule, random_);
    });
    if (std::vector<graph::GroupSchedule> step = one.take(); !step.empty()) {
      walks_[i].step = step.front();
      schedules.add(step);
    }
  }
  temperature_ = std::max(kColdest, temperature_ * kCooling);
  return schedules.take();
}

}  // namespace

std::unique_ptr<Explorer> make_annealing_explorer(const SearchView& view, std::uint64_t seed) {
  return std::make_unique<AnnealingExplorer>(view, seed);
}

}  // namespace tensordsl::search

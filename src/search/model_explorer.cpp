#include "search/make_explorer.h"

#include <algorithm>

#include "search/fastest_trials.h"
#include "search/new_schedules.h"

namespace tensordsl::search {
namespace {

// Evaluating a candidate means lowering it, which takes a hundredth to a tenth of the time of a trial.
constexpr std::size_t kPopulation = 16;  // that have children
constexpr std::size_t kChildren = 24;    // of a generation
constexpr int kGenerations = 2;
constexpr double kAtRandom = 0.15;  // of the proposals

/// Evaluates many more candidates than it proposes: neighbors and children of the fastest by trial and by the
/// model, for some generations; and a few at random, so that the model also learns from schedules that it
/// would not choose.
class ModelExplorer final : public Explorer {
 public:
  /// `others`: of other kernels, to begin with.
  ModelExplorer(const SearchView& view, std::uint64_t seed, std::unique_ptr<CostModel> model,
                std::vector<Trial> others);
  std::vector<graph::GroupSchedule> propose(std::size_t count) override;

 private:
  struct Scored {
    graph::GroupSchedule schedule;
    double us = 0;
  };

  void learn();
  std::vector<Scored> scored(const std::vector<graph::GroupSchedule>& schedules) const;
  std::vector<Scored> beginners();
  std::vector<graph::GroupSchedule> next_generation(const std::vector<Scored>& parents);

  const SearchView& view_;
  RandomNumbers random_;
  std::unique_ptr<CostModel> model_;
  std::vector<Trial> others_;
};

ModelExplorer::ModelExplorer(const SearchView& view, std::uint64_t seed, std::unique_ptr<CostModel> model,
                             std::vector<Trial> others)
    : view_(view), random_(seed), model_(std::move(model)), others_(std::move(others)) {}

void ModelExplorer::learn() {
  std::vector<Trial> examples = others_;
  std::vector<graph::GroupSchedule> timed;
  std::vector<double> times;
  for (const Trial& trial : view_.trials) {
    if (!trial.measured.us) continue;
    timed.push_back(trial.schedule);
    times.push_back(*trial.measured.us);
  }
  const std::vector<const Evaluation*> evaluations = view_.evaluate(timed);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    if (evaluations[i]->us > 0 && times[i] > 0)
      examples.push_back({timed[i], *evaluations[i], {.us = times[i]}});
  }
  model_->learn(examples);
}

std::vector<ModelExplorer::Scored> ModelExplorer::scored(
    const std::vector<graph::GroupSchedule>& schedules) const {
  const std::vector<const Evaluation*> evaluations = view_.evaluate(schedules);
  std::vector<const Evaluation*> right;
  std::vector<Scored> all;
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    if (!evaluations[i]->refusal.empty()) continue;
    right.push_back(evaluations[i]);
    all.push_back({schedules[i], 0});
  }
  const std::vector<double> us = model_->predict(right);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].us = us[i];
  std::ranges::stable_sort(all, {}, &Scored::us);
  return all;
}

std::vector<ModelExplorer::Scored> ModelExplorer::beginners() {
  std::vector<graph::GroupSchedule> schedules;
  for (const Trial& trial : fastest_trials(view_.trials, kPopulation / 2))
    schedules.push_back(trial.schedule);
  for (std::size_t i = 0; i < view_.likely.size() && i < kPopulation; ++i)
    schedules.push_back(view_.likely[i]);
  while (schedules.size() < kPopulation + kPopulation / 2)
    schedules.push_back(random_point(view_.space, random_));
  return scored(schedules);
}

std::vector<graph::GroupSchedule> ModelExplorer::next_generation(const std::vector<Scored>& parents) {
  std::vector<graph::GroupSchedule> children;
  if (parents.empty()) return children;
  // The fastest has the most children.
  const auto parent = [&]() -> const graph::GroupSchedule& {
    const std::uint64_t a = random_.below(parents.size()), b = random_.below(parents.size());
    return parents[static_cast<std::size_t>(std::min(a, b))].schedule;
  };
  for (std::size_t i = 0; i < kChildren; ++i) {
    const graph::GroupSchedule& mother = parent();
    children.push_back(random_.with_probability(0.3) ? crossover(mother, parent(), random_)
                                                     : neighbor(view_.space, mother, random_));
  }
  return children;
}

std::vector<graph::GroupSchedule> ModelExplorer::propose(std::size_t count) {
  learn();
  std::vector<Scored> pool = beginners();
  for (int generation = 0; generation < kGenerations; ++generation) {
    std::vector<Scored> parents(
        pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(std::min(kPopulation, pool.size())));
    std::vector<Scored> children = scored(next_generation(parents));
    pool.insert(pool.end(), children.begin(), children.end());
    std::ranges::stable_sort(pool, {}, &Scored::us);
  }
  NewSchedules schedules(view_, count);
  std::size_t at_random = 0;
  for (std::size_t i = 0; i < count; ++i) at_random += random_.with_probability(kAtRandom) ? 1 : 0;
  NewSchedules best(view_, count - at_random);
  for (const Scored& one : pool) {
    if (best.is_full()) break;
    best.add({one.schedule});
  }
  schedules.add(best.take());
  fill(schedules, count, [&] { return random_point(view_.space, random_); });
  return schedules.take();
}

}  // namespace

std::unique_ptr<Explorer> make_model_explorer(const SearchView& view, std::uint64_t seed,
                                              std::unique_ptr<CostModel> model, std::vector<Trial> others) {
  return std::make_unique<ModelExplorer>(view, seed, std::move(model), std::move(others));
}

}  // namespace tensordsl::search

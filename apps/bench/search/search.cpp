#include "apps/bench/search/search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "apps/bench/operators/single_operators.h"
#include "measure/device_measurer.h"
#include "measure/serve_worker.h"
#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "records/kernel_key.h"
#include "records/record_database.h"
#include "search/search_space.h"
#include "tensordsl/error.h"
#include "tune/model_kernels.h"
#include "tune/trial/eviction_program.h"
#include "tune/trial/task_search.h"

namespace tensordsl::bench {
namespace {

/// A schedule that is slower than the best by no more than this is as good.
constexpr double kAsGood = 1.05;
constexpr std::size_t kTrialsOfStep = 8;

/// The kernel of an operator that takes longest.
class SearchSubject {
 public:
  /// `device`: of which its records are.
  SearchSubject(onnx::Graph graph, const CompileTarget& target, records::DeviceKey device)
      : compile_(options_of(target)),
        compiled_(graph::compile_in_full(define_graph(std::move(graph)), compile_)),
        funcs_(compiled_.definitions),
        between_(tune::eviction_program(predict::figures_of(profile_of(target)), target.device)),
        device_(std::move(device)) {
    std::vector<tune::ModelKernel> kernels =
        tune::model_kernels(compiled_, funcs_, compile_, profile_of(target));
    const auto longest = std::ranges::max_element(kernels, {}, &tune::ModelKernel::floor_us);
    if (longest == kernels.end()) throw Error("the host computes it");
    kernel_ = std::move(*longest);
  }
  SearchSubject(const SearchSubject&) = delete;
  SearchSubject& operator=(const SearchSubject&) = delete;

  std::unique_ptr<tune::TaskSearch> search(const std::string& explorer, std::uint64_t seed,
                                           bool prunes) const {
    tune::TaskSearchOptions options;
    options.ranking = kernel_.ranking;
    options.lowering = compile_;
    options.explorer = explorer;
    options.seed = seed;
    options.prunes = prunes;
    options.between = between_;
    return std::make_unique<tune::TaskSearch>(kernel_.source, options, kernel_.task.key, device_,
                                              std::vector<records::TuningRecord>{},
                                              std::vector<records::TuningRecord>{});
  }

 private:
  graph::CompileOptions compile_;
  graph::Graph compiled_;
  definitions::TensorFuncs funcs_;
  std::shared_ptr<const Program> between_;
  records::DeviceKey device_;
  tune::ModelKernel kernel_;
};

/// Trials, until there are `most` or no more schedules. `kept`: gets their records.
void run(tune::TaskSearch& search, measure::Measurer& measurer, std::size_t most,
         records::RecordDatabase* kept = nullptr) {
  while (search.trials().size() < most) {
    const auto records = search.step(measurer, std::min(kTrialsOfStep, most - search.trials().size()));
    if (records.empty()) return;
    if (kept) kept->add(records);
  }
}

/// Returns the trials that were faster than all before them.
std::vector<std::size_t> improvements(const tune::TaskSearch& search) {
  std::vector<std::size_t> places;
  double best = INFINITY;
  for (std::size_t i = 0; i < search.trials().size(); ++i) {
    const std::optional<double>& us = search.trials()[i].measured.us;
    if (!us || *us >= best) continue;
    best = *us;
    places.push_back(i);
  }
  return places;
}

/// Returns the number of trials until one was as fast as `us`. `timed`: the times of the trials with these
/// indices.
std::optional<int> trials_to_reach(const std::vector<std::size_t>& places,
                                   std::span<const measure::Measured> timed, double us) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (timed[i].us && *timed[i].us <= us) return static_cast<int>(places[i]) + 1;
  }
  return std::nullopt;
}

/// Times the best configurations of both searches again in turns when the searches have ended: from one trial
/// to the next, and from one search to the other, a device's speed drifts by more than the difference that is
/// measured.
SeedResult compare(const SearchSubject& subject, const SearchOptions& options, tune::TaskSearch& pruned,
                   std::uint64_t seed, measure::Measurer& measurer, records::RecordDatabase* kept) {
  SeedResult result;
  run(pruned, measurer, static_cast<std::size_t>(options.trials), kept);
  if (!pruned.best_us())
    throw Error("cannot time any schedule: " +
                (pruned.failures().empty() ? pruned.suspicion() : pruned.failures().front()));
  const std::vector<std::size_t> places = improvements(pruned);
  std::vector<std::size_t> other_places;
  std::vector<graph::GroupSchedule> found;
  for (const std::size_t place : places) found.push_back(pruned.trials()[place].schedule);
  if (options.unpruned_factor > 0) {
    const auto unpruned = subject.search(options.explorer, seed, false);
    run(*unpruned, measurer, static_cast<std::size_t>(options.unpruned_factor * options.trials));
    result.unpruned_trials = static_cast<int>(unpruned->trials().size());
    other_places = improvements(*unpruned);
    for (const std::size_t place : other_places) found.push_back(unpruned->trials()[place].schedule);
  }
  const std::vector<measure::Measured> timed = pruned.measured(measurer, found);
  const std::span all(timed);
  const auto own = all.first(places.size()), others = all.subspan(places.size());
  double best = INFINITY;
  for (const measure::Measured& one : own) best = std::min(best, one.us.value_or(INFINITY));
  result.trials = static_cast<int>(pruned.trials().size());
  result.trials_to_reach = trials_to_reach(places, own, kAsGood * best).value_or(result.trials);
  result.unpruned_to_reach = trials_to_reach(other_places, others, kAsGood * best);
  return result;
}

SearchResult search(const SingleOperator& single, const CompileTarget& target, const SearchOptions& options,
                    Device& device, records::RecordDatabase* kept) {
  SearchResult result{single.graph.name, single.text, single.model, {}, {}, {}, {}, {}, 0, {}};
  try {
    const SearchSubject subject(single.graph, target, measure::key_of(device.info()));
    measure::DeviceMeasurer measurer(device);
    std::vector<std::unique_ptr<tune::TaskSearch>> searches;
    for (int seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed) {
      searches.push_back(subject.search(options.explorer, static_cast<std::uint64_t>(seed), true));
      result.seeds.push_back(
          compare(subject, options, *searches.back(), static_cast<std::uint64_t>(seed), measurer, kept));
    }
    // The best of each, in turns: times of one search are not to be compared with those of another.
    std::vector<graph::GroupSchedule> best{searches.front()->first()};
    for (const auto& one : searches) best.push_back(one->best());
    if (options.random > 0) {
      const auto random = subject.search("random", static_cast<std::uint64_t>(options.first_seed), false);
      run(*random, measurer, static_cast<std::size_t>(options.random));
      result.random_timed = static_cast<int>(random->trials().size());
      if (random->best_us()) best.push_back(random->best());
    }
    const std::vector<measure::Measured> timed = searches.front()->measured(measurer, best);
    result.first_us = timed.front().us;
    std::size_t fastest = 0;
    for (std::size_t i = 1; i <= searches.size(); ++i) {
      if (!timed[i].us || (result.tuned_us && *timed[i].us >= *result.tuned_us)) continue;
      result.tuned_us = timed[i].us;
      fastest = i;
    }
    // A search that found nothing better takes the first.
    if (result.first_us && (!result.tuned_us || *result.first_us < *result.tuned_us)) {
      result.tuned_us = result.first_us;
      fastest = 0;
    }
    result.strategy = best[fastest].strategy->name;
    if (timed.size() > searches.size() + 1) result.random_us = timed.back().us;
  } catch (const Error& error) {
    result.failure = error.what();
  }
  return result;
}

}  // namespace

std::vector<SearchResult> run_search(const SearchOptions& options, Device& device,
                                     const std::function<void(const SearchResult&)>& told) {
  CompileTarget target;
  target.device = device.info();
  target.threads = options.threads;
  target.tuned_schedules = false;
  const std::vector<SingleOperator> all = single_operators(options.models, options.kinds);
  std::optional<records::RecordDatabase> kept;
  if (!options.database.empty()) kept.emplace(options.database);
  std::vector<SearchResult> results;
  const std::size_t count = std::min(all.size(), static_cast<std::size_t>(options.operators));
  for (auto i = static_cast<std::size_t>(options.first); i < count;
       i += static_cast<std::size_t>(options.step)) {
    results.push_back(search(all[i * all.size() / count], target, options, device, kept ? &*kept : nullptr));
    told(results.back());
  }
  return results;
}

}  // namespace tensordsl::bench

// Prints the results of `tensordsl-bench search`.
#include <fmt/format.h>

#include "apps/bench/geometric_mean.h"
#include "apps/bench/search/search.h"

namespace tensordsl::bench {
namespace {

nlohmann::ordered_json number(const auto& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// Times as many measurements without pruning; at least, where it has never been as fast.
double ratio_of(const SeedResult& seed) {
  return static_cast<double>(seed.unpruned_to_reach.value_or(seed.unpruned_trials)) / seed.trials_to_reach;
}

}  // namespace

nlohmann::ordered_json to_json(const SearchResult& r) {
  nlohmann::ordered_json json{{"op", r.op},
                              {"text", r.text},
                              {"model", r.model},
                              {"strategy", r.strategy},
                              {"first_us", number(r.first_us)},
                              {"tuned_us", number(r.tuned_us)},
                              {"random_us", number(r.random_us)},
                              {"random_timed", r.random_timed}};
  for (const SeedResult& seed : r.seeds) {
    json["seeds"].push_back({{"trials", seed.trials},
                             {"trials_to_reach", seed.trials_to_reach},
                             {"unpruned_to_reach", number(seed.unpruned_to_reach)},
                             {"unpruned_trials", seed.unpruned_trials}});
  }
  if (!r.failure.empty()) json["failure"] = r.failure;
  return json;
}

std::string to_text(const SearchResult& r) {
  if (!r.failure.empty()) return fmt::format("{} {}: FAILED, {}", r.op, r.text, r.failure);
  std::string text;
  for (const SeedResult& seed : r.seeds) {
    text += fmt::format("{}{} of {} trials", text.empty() ? "" : ", ", seed.trials_to_reach, seed.trials);
    if (seed.unpruned_trials == 0) continue;
    text += seed.unpruned_to_reach ? fmt::format(" (without pruning {})", *seed.unpruned_to_reach)
                                   : fmt::format(" (without pruning more than {})", seed.unpruned_trials);
  }
  if (r.first_us && r.tuned_us) {
    text += fmt::format("; first {:.1f} us, tuned {:.1f}, {:.3f} of it", *r.first_us, *r.tuned_us,
                        *r.tuned_us / *r.first_us);
  }
  if (r.random_us) text += fmt::format(", {} at random {:.1f}", r.random_timed, *r.random_us);
  return fmt::format("{} {} ({}): {}", r.op, r.text, r.strategy, text);
}

std::string summary_of(const std::vector<SearchResult>& results) {
  GeometricMean fewer, shares, random;
  for (const SearchResult& r : results) {
    if (!r.failure.empty()) continue;
    for (const SeedResult& seed : r.seeds) {
      if (seed.unpruned_trials > 0) fewer.add(ratio_of(seed));
    }
    if (r.first_us && r.tuned_us) shares.add(*r.tuned_us / *r.first_us);
    if (r.random_us && r.tuned_us) random.add(*r.random_us / *r.tuned_us);
  }
  std::string text = fmt::format("{} operators", results.size());
  if (shares.count() > 0)
    text += fmt::format("; without a trial {:.3f} of the speed after them", shares.value());
  if (fewer.count() > 0)
    text += fmt::format("; {:.1f} times as many measurements without pruning", fewer.value());
  if (random.count() > 0)
    text += fmt::format("; {:.3f} times as fast as the best of the points at random", random.value());
  return text;
}

}  // namespace tensordsl::bench

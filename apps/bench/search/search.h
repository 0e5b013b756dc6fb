// Measures how much a search for schedules gains, and how soon: with pruning, without, and against random
// configurations.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

struct SearchOptions {
  std::vector<std::string> models;  ///< files; weights that are absent get values
  std::vector<std::string> kinds;   ///< "Conv"; all if there is none
  int operators = 8;                ///< number of operators, evenly spread over the list
  int first = 0;     ///< index of the first of these operators to search: several processes may share them
  int step = 1;      ///< distance in the list between searched operators
  int trials = 100;  ///< trials of a pruned search
  int seeds = 1;
  int first_seed = 1;
  std::string explorer;     ///< search/make_explorer.h; empty: the best there is
  int unpruned_factor = 0;  ///< trials of a search without pruning, as a factor; 0: none
  int random = 0;           ///< configurations of the whole space
  std::string database;  ///< database that receives the trials of the pruned searches; it is not read; empty:
                         ///< none
  int threads = 0;
};

/// A search with pruning and one without, from one seed.
struct SeedResult {
  int trials = 0;           ///< trials of the pruned search
  int trials_to_reach = 0;  ///< trials until it was within 5 % of the best that it found
  /// The trials until the unpruned search was as fast; nullopt: never, in `unpruned_trials`.
  std::optional<int> unpruned_to_reach;
  int unpruned_trials = 0;
};

struct SearchResult {
  std::string op, text, model, strategy;
  std::vector<SeedResult> seeds;
  /// Times taken in turns at the end: of the untuned default, of the best of the pruned searches, and of the
  /// best random configuration.
  std::optional<double> first_us, tuned_us, random_us;
  int random_timed = 0;
  std::string failure;
};

/// Searches schedules for the slowest kernel of each operator. Bundled schedules are not used.
std::vector<SearchResult> run_search(const SearchOptions& options, Device& device,
                                     const std::function<void(const SearchResult&)>& told);

nlohmann::ordered_json to_json(const SearchResult& result);
std::string to_text(const SearchResult& result);
std::string summary_of(const std::vector<SearchResult>& results);

}  // namespace tensordsl::bench

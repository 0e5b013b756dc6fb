// Compares predictions of the device model for phones' GPUs with published measurements.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/bench/phones/published_phones.h"

namespace tensordsl::bench {

struct PhoneOptions {
  std::string published;  ///< docs/measurements/published/phones.json
  std::string models;     ///< the folder with the models; empty: these are left out
};

struct PredictedTime {
  PublishedTime published;
  double ms = 0;

  /// The error relative to the published time; positive if the prediction is longer.
  double error() const { return ms / published.ms - 1; }
};

struct PredictedPair {
  PublishedPair published;
  double times = 0;  ///< speed relative to the slower one, or the ratio of two gains

  /// A prediction of less than 1 % does not determine the order.
  bool agrees() const { return times > 1.01; }
};

struct PhonesResult {
  std::vector<PredictedTime> times;
  std::vector<PredictedPair> pairs;

  /// The share of the pairs whose order is the published one.
  double agreement() const;
  /// The geometric mean of how many times too long or too short the predictions are.
  double mean_factor() const;
};

PhonesResult run_phones(const PhoneOptions& options);

nlohmann::ordered_json to_json(const PhonesResult& result);
std::string to_text(const PhonesResult& result);

}  // namespace tensordsl::bench

// Learns from schedules that were timed how long others take.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/explorer.h"

namespace tensordsl::search {

class CostModel {
 public:
  virtual ~CostModel() = default;
  /// Forgets earlier trials. Trials of kernels of any shape may be combined: the model learns the error of
  /// the analytic cost model. Later trials count more where there are very many. Needs: trials with features
  /// and both times.
  virtual void learn(const std::vector<Trial>& trials) = 0;
  /// In microseconds, one for each; as predicted, before it has learned.
  virtual std::vector<double> predict(const std::vector<const Evaluation*>& evaluations) const = 0;
};

/// Gradient-boosted trees of XGBoost, as in TVM (Chen et al., Learning to Optimize Tensor Programs, 2018,
/// section 3.1): null where tensordsl was built without it. The same for the same trials and seed.
std::unique_ptr<CostModel> make_boosted_trees(std::uint64_t seed);

/// True if tensordsl was built with XGBoost.
bool has_boosted_trees();

}  // namespace tensordsl::search

// Measures whole models: the time of a run, and ONNX Runtime's for comparison.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

struct ModelBenchOptions {
  std::vector<std::string> models;  ///< files; weights that are absent get values, for which there is no peer
  int rounds = 5;                   ///< rounds in which this library and the peer take turns
  int runs = 20;                    ///< runs in a round
  int tries = 0;       ///< AutoscheduleOptions::trials_of_kernel; 0: the default schedules, without trials
  bool peers = false;  ///< ONNX Runtime, in a process of python3's
};

/// Milliseconds, medians. Inputs are written before the timed part, and outputs read after it.
struct ModelResult {
  std::string model;
  double ms = 0;          ///< the median of the rounds' medians
  double kernels_ms = 0;  ///< the part of `ms` that kernels take, by the device's own times
  int launches = 0;
  std::optional<double> peer_ms;  ///< the peer's time, with as many threads as there are compute units
  std::optional<double> ratio;    ///< the median of the rounds' peer / ours: above 1 this library is faster
  std::string failure;            ///< error of the model, or of the peer; empty if there is none
};

std::vector<ModelResult> run_models(const ModelBenchOptions& options, Device& device,
                                    const std::function<void(const ModelResult&)>& told);

nlohmann::ordered_json to_json(const ModelResult& result);
std::string to_text(const ModelResult& result);
/// "8 models, geometric mean of the ratios 1.15"; empty if there are none.
std::string summary_of(const std::vector<ModelResult>& results);

}  // namespace tensordsl::bench

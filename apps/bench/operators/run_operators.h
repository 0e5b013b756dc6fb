// Measures the operators of models, one by one, against the device's peak.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::bench {

struct OperatorOptions {
  std::vector<std::string> models;  ///< files; weights that are absent get values
  std::vector<std::string> kinds;   ///< "Conv"; all if there is none
  int tries = 1;                    ///< schedules of each that are timed; 1: the untuned default
  int threads = 0;
  bool peers = false;  ///< see operator_peers.h
};

/// The measurement of a single operator; equal operators of several models are measured once.
struct OperatorResult {
  std::string op;     ///< "Conv"
  std::string text;   ///< "x:[1,64,56,56] w:[64,64,3,3] -> [1,64,56,56] {pads=[1,1,1,1]}"
  std::string model;  ///< the first that has it
  std::string strategy;
  double us = 0;           ///< median time by the device's clock; 0 if it failed
  std::int64_t flops = 0;  ///< operations of the definition: a Winograd convolution executes fewer
  double floor_us = 0;  ///< the least time for these operations or their bytes: AutoscheduledKernel::floor_us
  std::string failure;
  std::string peer;  ///< empty if it was not asked for, or cannot run this
  double peer_us = 0;

  double roofline() const { return us > 0 ? floor_us / us : 0; }
};

/// Measures the operators in the models' order. Each result is compared with the interpreter before it is
/// timed, and is then passed to `told`. Throws Error if options.peers is set and no library to compare with
/// is installed.
std::vector<OperatorResult> run_operators(const OperatorOptions& options, Device& device,
                                          const std::function<void(const OperatorResult&)>& told);

nlohmann::ordered_json to_json(const OperatorResult& result);
std::string to_text(const OperatorResult& result);
/// "96 operators, geometric mean of their shares of the roofline 0.61, least 0.2 (Conv ..)".
std::string summary_of(const std::vector<OperatorResult>& results);

}  // namespace tensordsl::bench

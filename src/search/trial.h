// A schedule of a kernel from its choice to its time: one type with its stages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/stages/scheduled_group.h"
#include "measure/measurer.h"
#include "predict/kernel_usage.h"
#include "predict/predict_kernel.h"

namespace tensordsl::search {

/// Features that may distinguish fast schedules from slow ones before they have run, by name.
using Features = std::map<std::string, double>;

/// Judges a schedule without running it.
struct Evaluation {
  /// Why it is not to be run: the directives refuse it, it does not fit, or pruning leaves it out. Empty: it
  /// may be.
  std::string refusal;
  double us = 0;  ///< predicted, of all kernels, with the launches beyond the first
  std::vector<predict::Prediction> kernels{};  ///< predictions in the order in which the kernels run
  std::vector<predict::KernelUsage> usages{};  ///< resource usages of these kernels
  Features features{};
};

struct Trial {
  graph::GroupSchedule schedule;
  Evaluation predicted{};        ///< prediction by the device's model; empty if not predicted yet
  measure::Measured measured{};  ///< measurement on the device; neither a time nor a failure: it has not run
};

}  // namespace tensordsl::search

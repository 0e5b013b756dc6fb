// A compiled graph -> its kernels, with all that evaluating their schedules needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/hw_profile.h"
#include "tune/tuning_tasks.h"

namespace tensordsl::tune {

struct ModelKernel {
  Task task;
  std::string name, operators;  ///< "matmul_kernel", "MatMul+Add"
  GroupSource source;
  RankingOptions ranking;
  graph::GroupSchedule compiled;              ///< the schedule that it was compiled with
  std::optional<graph::GroupSchedule> tuned;  ///< the schedule `compiled`, if trials elsewhere have found it
  std::int64_t flops = 0, bytes = 0;
  double floor_us = 0;

  double launches() const { return static_cast<double>(task.places.size()); }
};

/// Returns the kernels in the order of the plan. `compiled` and `funcs` must outlive the result. `profile`:
/// of the device that `options` target.
std::vector<ModelKernel> model_kernels(const graph::Graph& compiled, const definitions::TensorFuncs& funcs,
                                       const graph::CompileOptions& options, const HwProfile& profile);

}  // namespace tensordsl::tune

// A schedule of a group -> what is said of its kernels without running them.
#pragma once

#include <string>
#include <vector>

#include "predict/kernel_usage.h"
#include "predict/kernel_work.h"
#include "tune/rank_candidates.h"

namespace tensordsl::tune {

/// A schedule that was lowered: a candidate, or why it is none.
struct Looked {
  Candidate candidate;
  std::vector<predict::KernelWork> works;  ///< of its kernels, one behind the other
  std::vector<predict::KernelUsage> usages;
  std::string refusal;  ///< of the directives, or by the device's limits
};

Looked look_at_schedule(const GroupSource& source, const ChosenSchedule& schedule,
                        const RankingOptions& options, const predict::DeviceFigures& device);

}  // namespace tensordsl::tune

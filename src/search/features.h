// What may tell fast schedules of a kernel from slow ones, as numbers.
#pragma once

#include <vector>

#include "predict/kernel_work.h"
#include "search/trial.h"

namespace tensordsl::search {

/// Of the lowered kernels, one behind the other, and of the knobs. Counts and times are logarithms: what
/// matters is how many times as large they are.
Features features_of(const ChosenSchedule& schedule, const std::vector<predict::KernelWork>& works,
                     const std::vector<predict::KernelUsage>& usages,
                     const std::vector<predict::Prediction>& predictions);

}  // namespace tensordsl::search

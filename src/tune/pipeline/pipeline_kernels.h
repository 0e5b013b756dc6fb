// A pipeline, and where its Funcs are computed -> of each of its kernels the schedules, the best first
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tensordsl/func.h"
#include "tune/pipeline/isolated_group.h"
#include "tune/pipeline/pipeline_copy.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

/// A kernel's schedules, the best first, and the time that is predicted of that one; none: it has no
/// directives.
struct KernelChoice {
  std::vector<graph::GroupSchedule> schedules;
  double us = 0;
};

/// A kernel as a group of its own, with all that trying it needs.
struct PipelineTask {
  std::string name;  ///< name of the last of its Funcs
  GroupSource source;
  RankingOptions ranking;
};

class PipelineKernels {
 public:
  /// `extents`: of outputs, by name. `options.strategies` is not used. All of them must outlive it.
  PipelineKernels(const std::vector<Func>& outputs, const std::map<std::string, std::vector<Expr>>& extents,
                  const RankingOptions& options);

  const PipelineCopy& pipeline() const { return pipeline_; }
  const std::map<std::string, Box>& boxes() const { return boxes_; }
  bool is_output(const Func& func) const;
  /// Returns the time that one more kernel costs.
  double launch_us() const;

  /// Chooses the schedule of the kernel that ends in `root`. `most_lowered`: as in RankingOptions. Answers
  /// are cached. If no strategy applies the time is infinite.
  const KernelChoice& choice_of(const Places& places, const Func& root, int most_lowered);

  IsolatedGroup isolated(const Places& places, const Func& root) const;

  /// Returns the task of a kernel. This object and `places` must outlive it.
  PipelineTask task_of(const Places& places, const Func& root) const;

 private:
  KernelChoice choose(const Places& places, const Func& root, int most_lowered) const;
  GroupSource source_of(const Places& places, const Func& root) const;
  std::vector<const schedules::Strategy*> applicable(const definitions::StoredGroup& group) const;

  const RankingOptions& options_;
  PipelineCopy pipeline_;
  std::map<std::string, Box> boxes_;
  std::map<std::string, KernelChoice> choices_;
};

}  // namespace tensordsl::tune

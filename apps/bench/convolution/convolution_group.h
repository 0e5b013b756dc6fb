// A convolution as the graph compiler sees it, in one group.
#pragma once

#include <memory>
#include <vector>

#include "graph/compile_graph.h"
#include "graph/schedule/schedule_group.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::bench {

class ConvolutionGroup {
 public:
  /// `graph`: the last group of it is the convolution.
  ConvolutionGroup(definitions::DefinitionGraph graph, const graph::CompileOptions& options);
  ConvolutionGroup(const ConvolutionGroup&) = delete;
  ConvolutionGroup& operator=(const ConvolutionGroup&) = delete;

  const Target& target() const { return compiled_.scheduled[place()].target; }
  const tune::GroupSource& source() const { return source_; }

  /// Returns a Program for each configuration; null where a directive or the device refuses it.
  std::vector<std::shared_ptr<const Program>> programs(
      const std::vector<graph::GroupSchedule>& schedules) const;

 private:
  std::size_t place() const { return compiled_.groups.size() - 1; }

  graph::CompileOptions compile_;
  graph::Graph compiled_;
  definitions::TensorFuncs funcs_;
  tune::GroupSource source_;
};

}  // namespace tensordsl::bench

// A compiled graph -> its tuning tasks: groups that are computed alike are one task.
#pragma once

#include <string>
#include <vector>

#include "graph/compile_graph.h"
#include "graph/schedule/schedule_group.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {

struct Task {
  records::KernelKey key;           ///< graph/schedule/group_key.h
  std::vector<std::size_t> places;  ///< indices of its groups in the plan
};

/// Returns the tasks in the order of the plan, without the host's.
std::vector<Task> tasks_of(const graph::Graph& compiled, const definitions::TensorFuncs& funcs,
                           Precision precision);

/// Returns the source of a group. Both arguments must outlive it.
GroupSource source_of(const graph::Graph& compiled, const definitions::TensorFuncs& funcs, std::size_t place,
                      Precision precision);

}  // namespace tensordsl::tune

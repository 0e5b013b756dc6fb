#include "tune/tuning_tasks.h"

#include <algorithm>

#include "graph/schedule/group_key.h"

namespace tensordsl::tune {

std::vector<Task> tasks_of(const graph::Graph& compiled, const definitions::TensorFuncs& funcs,
                           Precision precision) {
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    if (!compiled.lowered[i].program) continue;  // the host computes it
    records::KernelKey key =
        graph::group_key(graph::prepared_group(compiled, funcs, i, precision, compiled.scheduled[i].target));
    const auto known = std::ranges::find(tasks, key, &Task::key);
    if (known != tasks.end()) {
      known->places.push_back(i);
    } else {
      tasks.push_back({std::move(key), {i}});
    }
  }
  return tasks;
}

GroupSource source_of(const graph::Graph& compiled, const definitions::TensorFuncs& funcs, std::size_t place,
                      Precision precision) {
  const auto prepared = [&compiled, &funcs, place, precision] {
    return graph::prepared_group(compiled, funcs, place, precision, compiled.scheduled[place].target);
  };
  return {prepared, [&compiled, place, prepared](const graph::GroupSchedule& schedule) {
            return graph::scheduled_group(compiled, place, prepared(), compiled.scheduled[place].target,
                                          schedule);
          }};
}

}  // namespace tensordsl::tune

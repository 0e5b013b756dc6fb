// A structural hash of a group's definitions: equal groups are one kernel, and a record is found again by it.
#pragma once

#include <string>

#include "definitions/stored_group.h"
#include "graph/stages/scheduled_group.h"
#include "records/kernel_key.h"

namespace tensordsl::graph {

/// Returns a key that is equal for groups that differ only in names. It encodes the definitions node by node,
/// with axes by their positions and Funcs by their order, the Funcs that are kept in a tile, and types,
/// extents, layouts and images of stored tensors. Params keep their names, because kernels' arguments have
/// them. Target, device and options are not in it. Needs: layouts.
records::KernelKey group_key(const definitions::StoredGroup& group);

/// Returns a text that is equal for groups with equal keys, strategies and configurations. Needs: a group
/// with its schedule chosen.
std::string group_key(const definitions::StoredGroup& group, const GroupSchedule& schedule);

}  // namespace tensordsl::graph

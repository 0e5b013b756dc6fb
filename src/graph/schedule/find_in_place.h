// out(i, j) = sum(i, j) + x(i, j)   ->   out may be stored in the memory of x
// Needs: a group whose operands have layouts.  Gives: the operands that each element of the output may be
// stored over, by its definitions; for a schedule, whether it preserves that.
#pragma once

#include <vector>

#include "definitions/stored_group.h"

namespace tensordsl::graph {

/// Returns the operands that have the layout of the only output, and of which each element is read only for
/// the output's element at the same index. Empty if there are several outputs, or open sizes.
std::vector<std::size_t> overwritable_operands(const definitions::StoredGroup& group);

/// True if the schedule computes no element of the output twice: the second time it would read the result
/// that the first has stored. Needs: a schedule.
bool stores_each_once(const definitions::StoredGroup& group);

}  // namespace tensordsl::graph

// Attention where work-groups share local memory: its loops over work-items.
#pragma once

#include "schedules/attention/attention_parts.h"

namespace tensordsl::schedules {

/// The work-items of a group that have something to do, at most `most`; `keys` of a tile of scores.
int items_of_attention(const definitions::StoredGroup& group, const ScheduledAttention& parts, int keys,
                       int most);

/// Applies the strategy of schedules/attention/attention.h on devices other than CPUs. A work-item sums up
/// the scores of a few queries and `keys`, with vectors of its operands along a query. Several work-items
/// reduce the largest score and the sum of the weights of a query. Then each computes the averages of a few
/// queries and elements in registers. Where keys are processed in blocks, each block does so.
void run_attention_in_groups(const definitions::StoredGroup& group, ScheduledAttention parts, int keys,
                             int items);

}  // namespace tensordsl::schedules

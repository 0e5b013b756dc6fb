// Attention whose keys go in blocks: the loops of a running softmax.
#pragma once

#include "schedules/attention/attention_parts.h"

namespace tensordsl::schedules {

/// The strategy of schedules/attention/attention.h on a CPU where there is a running softmax: scores and
/// weights of a block of keys are where those of all keys are else, and what all blocks so far gave is a
/// thread's own: averages of all its queries. One query alone has its elements in the lanes.
void run_attention_in_blocks(const definitions::StoredGroup& group, ScheduledAttention parts, int tile,
                             int most_width);

}  // namespace tensordsl::schedules

// Attention whose keys go in blocks: the loops of a running softmax.
#pragma once

#include "schedules/attention/attention_parts.h"

namespace tensordsl::schedules {

/// Applies the strategy of schedules/attention/attention.h on a CPU with a running softmax. Scores and
/// weights of one block of keys are stored in place of the scores of all keys. A thread keeps the running
/// averages of all its queries. If there is only one query, its elements are the lanes.
void run_attention_in_blocks(const definitions::StoredGroup& group, ScheduledAttention parts, int tile,
                             int most_width);

}  // namespace tensordsl::schedules

// Attention whose keys go in blocks: the loops of a running softmax.
#pragma once

#include "schedules/attention_parts.h"
#include "schedules/point.h"
#include "schedules/target.h"

namespace tensordsl::schedules {

/// The strategy of schedules/attention.h where there is a running softmax: scores and weights of a block of
/// keys are where those of all keys are else, and what all blocks so far gave is a thread's own: on a CPU
/// averages of all its queries, elsewhere a work-item's elements of them. On a CPU one query alone has its
/// elements in the lanes.
void run_attention_in_blocks(const Group& group, AttentionParts parts, const Point& point,
                             const Target& target);

}  // namespace tensordsl::schedules

// Averages weighted by the softmax of scores, in one kernel whose scores are in no tensor.
#pragma once

#include "schedules/support/strategy.h"

namespace tensordsl::schedules {

/// For groups as graph/attention/define_attention.h makes them: parts for some queries at a time, one to a
/// lane.
///
/// On a CPU a work-group computes the queries of a vector, so that nothing is summed up across lanes; tiles
/// of scores and of averages stay in registers while they are summed up. Elsewhere a work-group's queries,
/// and their scores and weights, are in local memory (schedules/attention/attention_in_groups.h). Keys in
/// blocks use a running softmax (on a CPU schedules/attention/attention_in_blocks.h). Source: FlashAttention
/// (Dao et al., NeurIPS 2022), section 3.1. Small sums of the prologue, which are added to the averages
/// (graph/fuse/fuse_producers.h), are computed for a query and a tile of elements; constants that they read
/// have these elements innermost.
///
/// Knobs: `tile`, the keys of a tile of scores, and on a CPU the elements of a tile of averages; `items` of a
/// work-group.
bool applies_attention(const definitions::StoredGroup& group, const Target& target);
Space attention_space(const definitions::StoredGroup& group, const Target& target);
WantedStorage storage_for_attention(const definitions::StoredGroup& group, const Point& point);
void apply_attention(const definitions::StoredGroup& group, const Point& point, const Target& target);

constexpr Strategy attention() {
  return {.name = "attention",
          .applies = applies_attention,
          .space = attention_space,
          .wanted_storage = storage_for_attention,
          .apply = apply_attention,
          .priced = PricedChoice::Strategy};
}

}  // namespace tensordsl::schedules

// An attention, as its group has it, and the loops that its schedules share.
#pragma once

#include <cstdint>
#include <vector>

#include "definitions/stored_group.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// The Funcs of an attention, and its output.
struct ScheduledAttention : definitions::AttentionForm {
  Func out;
  int lanes = 1;  ///< queries of a block
};

/// Returns the Funcs of an attention's group. Needs: a group of that form.
ScheduledAttention attention_of(const definitions::StoredGroup& group);

/// The variable of a dimension, counted from the last one.
Var from_last(const Func& f, int place);
/// Returns the axis that the Func accumulates over, the innermost of several.
Var axis_of(const Func& accumulated);

/// Returns the number of keys; 64 if it is not known.
std::int64_t keys_of(const ScheduledAttention& p);
/// Returns the elements of a value; 64 if that number is not known.
std::int64_t elements_of(const definitions::StoredGroup& group, const ScheduledAttention& p);

/// The output's loops over `inner`, the innermost, and one over all others, which are work-groups: its
/// variable. An open number of queries has a loop of its own: within one of all, a query's number would be
/// the remainder of a division by a number that may be 0.
Var block_of_queries(const definitions::StoredGroup& group, const ScheduledAttention& p, const Var& queries,
                     const std::vector<Var>& inner);

/// Sums that are added to the averages: of a query and a tile of elements, in vectors of `width`.
void run_added_sums(const ScheduledAttention& p, const Var& lane, int width);

// Loops that all CPU schedules share, with keys in blocks or not.

/// Cuts the output into tiles of its queries and of `vectors` vectors of elements; the loop over the tiles of
/// a block's elements is called "outer". Returns the loop over blocks.
Var run_averages(const StoredGroup& group, const ScheduledAttention& p, int vectors, int width, Tail tail);

/// Computes scores of several queries, one to a lane: nothing is summed up across lanes.
void sum_up_by_lanes(const ScheduledAttention& p);

/// Adds the weighted values up in vectors of elements, `width` to each.
void sum_up_vectors(const ScheduledAttention& p, int width);

}  // namespace tensordsl::schedules

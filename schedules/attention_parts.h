// The parts of a group that is attention, as graph/define_attention.h makes it, and what schedules share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "definitions/group.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// A sum of the prologue, which is added to the average.
struct AddedSum {
  Func sum;
  std::optional<int> element;  ///< the dimension along which it runs with the output's elements
};

/// The Funcs, and where the output has queries and elements.
struct AttentionParts {
  Func asked, dot, score, highest, weight, total, part, out;
  std::optional<Func> run;  ///< where keys go in blocks: what all blocks so far gave
  std::vector<AddedSum> added;
  int query = 0, element = 0;  ///< dimensions of the output
  int lanes = 1;
};

/// Nothing if it is another group.
std::optional<AttentionParts> attention_parts_of(const Group& group);

/// The variable of a dimension, counted from the last one.
Var from_last(const Func& f, int place);
/// What it accumulates over.
Var axis_of(const Func& accumulated);

/// Whose scores are held; 64 if that is open.
std::int64_t keys_of(const AttentionParts& p);
/// Of a value.
std::int64_t elements_of(const Group& group, const AttentionParts& p);

/// The output's loops over `inner`, the innermost, and one over all others, which are work-groups: its
/// variable. An open number of queries has a loop of its own: within one of all, a query's number would be
/// the remainder of a division by a number that may be 0.
Var block_of_queries(const Group& group, const AttentionParts& p, const Var& queries,
                     const std::vector<Var>& inner);

/// Sums that are added to the averages: of a query and a tile of elements, in vectors of `width`.
void run_added_sums(const AttentionParts& p, const Var& lane, int width);

}  // namespace tensordsl::schedules

// Finds the rows of a group's output: elements that share accumulated values, as in a softmax or a norm.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "definitions/stored_group.h"

namespace tensordsl::schedules {

/// A dimension of the output. Each run of `run` neighbors along it is in rows of its own, the last run as
/// long as the others; all of the dimension is in one row if that is 0.
struct RowDim {
  int dim = 0;
  int run = 0;

  friend bool operator==(const RowDim&, const RowDim&) = default;
};

/// The rows of an output, its dimensions in memory order, the outermost first; before them dimensions of
/// extent 1, whose position is arbitrary.
struct Rows {
  std::vector<RowDim> dims;
  /// For each anchor, if a reduction axis runs along neighbors in memory: its axes in memory order, that one
  /// last. Otherwise empty.
  std::vector<std::vector<std::string>> axes;
  /// For each anchor, its dimension that lies along the innermost one of the output; -1 if none does.
  std::vector<int> innermost;

  bool runs_along_memory() const;
  /// True if a row has more than one element.
  bool are_shared() const;
};

/// Returns nullopt if the output reads an accumulated Func elsewhere than at rows (at data-dependent indices,
/// or at an index that is not a dimension, a quotient of one, or a constant), or if a Func that it reads
/// needs accumulated values of other rows. Needs: layouts, and one output that is pure.
std::optional<Rows> rows_of(const definitions::StoredGroup& group);

}  // namespace tensordsl::schedules

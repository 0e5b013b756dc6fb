// Which elements of a group's output share what is accumulated for them: the rows of a softmax or a norm.
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

/// The rows of an output, its dimensions as they lie in memory, the outermost first; before them those of
/// extent 1, which lie anywhere.
struct Rows {
  std::vector<RowDim> dims;
  /// Of each anchor, if a reduction axis runs along neighbors in memory: the axes in the order in which they
  /// run through memory, that one last. Else nothing.
  std::vector<std::vector<std::string>> axes;
  /// Of each anchor, which of its dimensions lies along the innermost of the output; -1 if none does.
  std::vector<int> innermost;

  bool runs_along_memory() const;
  /// Whether a row has more elements than one.
  bool are_shared() const;
};

/// Needs: layouts, and one output that is pure. Nothing if the output reads what is accumulated elsewhere
/// than at rows: where data says, or at an index that is no dimension, quotient of one, or constant; or if
/// what it reads needs what is accumulated for other rows.
std::optional<Rows> rows_of(const definitions::StoredGroup& group);

}  // namespace tensordsl::schedules

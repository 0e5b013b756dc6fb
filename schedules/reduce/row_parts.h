// Splits a reduction along rows: loops over rows and elements, and partial results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedules/reduce/rows.h"
#include "tensordsl/func.h"

namespace tensordsl::schedules {

/// The loops of the output, the outermost first: over rows, and over the elements of one.
struct RowLoops {
  std::vector<Var> rows, elements;

  void reorder(Func out) const;
};

/// Cuts dimensions that have several rows in them.
RowLoops split_into_rows(Func out, const Rows& rows);

/// True if the reduction may be computed in parts that are combined later.
bool has_parts(const Func& anchor);

/// Returns the innermost of `axes` that have `wanted` steps together, if there are that many.
std::vector<std::string> innermost_axes(const Func& anchor, const std::vector<std::string>& axes,
                                        std::int64_t wanted);

/// Steps along reduction axes together, with 64 for each extent that is not known.
std::int64_t steps_of(const Func& anchor, const std::vector<std::string>& axes);

/// The update's loops over `axes` become one over their steps in a part, and the dimension `part` of a Func
/// of its own, the partial results, which is returned.
Func factor(Func anchor, const std::vector<std::string>& axes, int parts, const Var& part);

}  // namespace tensordsl::schedules

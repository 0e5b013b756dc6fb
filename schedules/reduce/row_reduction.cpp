#include "schedules/reduce/row_reduction.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "classify/classify.h"
#include "schedule/func_schedule.h"
#include "schedules/reduce/row_forms.h"
#include "schedules/reduce/row_parts.h"
#include "schedules/reduce/rows.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {

using classify::Class;
using classify::Classification;
using definitions::StoredGroup;

namespace {

/// The extent of the output's innermost dimension; nothing if it is not known.
std::optional<std::int64_t> width_of(const StoredGroup& group, const Rows& rows) {
  const RowDim& innermost = rows.dims.back();
  if (!is_known(group.stored[0], innermost.dim)) return std::nullopt;
  return innermost.run > 1 ? innermost.run
                           : likely_shape(group.stored[0])[static_cast<std::size_t>(innermost.dim)];
}

bool is_matrix_by_vector(const classify::Contraction& roles) {
  return roles.n.empty() && roles.batch.empty() && roles.group.empty();
}

/// Returns the number of rows; a likely number where extents are open.
std::int64_t count_rows(const StoredGroup& group, const Rows& rows) {
  const std::vector<std::int64_t> extents = likely_shape(group.stored[0]);
  std::int64_t count = 1;
  for (const RowDim& row : rows.dims) {
    if (row.run > 0) count *= std::max<std::int64_t>(1, extents[static_cast<std::size_t>(row.dim)] / row.run);
  }
  return count;
}

/// Steps of the longest reduction along a row, over its innermost axes until there are `wanted`.
std::int64_t steps_along(const StoredGroup& group, const Rows& rows, std::int64_t wanted) {
  std::int64_t most = 1;
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    const Func& anchor = group.anchors[i];
    if (!has_parts(anchor)) continue;
    most = std::max(most, steps_of(anchor, innermost_axes(anchor, rows.axes[i], wanted)));
  }
  return most;
}

}  // namespace

bool applies_row_reduction(const StoredGroup& group, const Target&) {
  if (group.anchors.empty() || group.outputs.size() != 1 || group.epilogue.empty()) return false;
  bool has_product = false, has_windows = false;
  for (const Func& anchor : group.anchors) {
    const Classification& classification = group.class_of(anchor);
    const Class kind = classification.kind;
    if (kind != Class::Reduction && kind != Class::Contraction) return false;
    // A matrix times a vector reads each element once, as a sum of a row does.
    has_product = has_product || (classification.roles && !is_matrix_by_vector(*classification.roles));
    has_windows = has_windows || !classification.windows.empty();
  }
  const auto rows = rows_of(group);
  if (!rows || std::ranges::none_of(rows->dims, [](const RowDim& row) { return row.run > 0; })) return false;
  if (rows->are_shared()) return true;
  const bool is_plain = !has_product && !has_windows;
  return group.anchors.size() > 1 || (rows->runs_along_memory() && is_plain);
}

Space row_reduction_space(const StoredGroup& group, const Target& target) {
  const auto rows = *rows_of(group);
  const bool is_gpu = target.group_items > 1;
  const int lanes = is_gpu ? 1 : power_up_to(width_of(group, rows).value_or(1), target.vector_width);
  const std::int64_t steps = steps_along(group, rows, is_gpu ? kRounds * target.group_items : 1);
  // Work-items that share a row meet in local memory. Where that is off the chip each has rows of its own, if
  // there are enough of them.
  const std::int64_t count = count_rows(group, rows);
  const bool shares_rows = !is_gpu || !target.is_local_memory_off_chip || 2 * count < target.parallel_items;
  const int parts = power_up_to(steps, is_gpu ? target.group_items : target.vector_width);
  const int items =
      shares_rows ? target.group_items : power_up_to(count / target.compute_units, target.group_items);
  // Some work-groups for each unit, so that they end together.
  const std::int64_t share = count / (8LL * target.compute_units * lanes);
  return {{{"lanes", powers_of_two(lanes)},
           {"parts", powers_of_two(std::max(parts, 16))},
           {"items", powers_of_two(256)},
           {"rows", powers_of_two(is_gpu ? 1 : 1024)}},
          {{"lanes", lanes},
           {"parts", shares_rows ? parts : 1},
           {"items", items},
           {"rows", is_gpu ? 1 : power_up_to(share, 1024)}}};
}

void apply_row_reduction(const StoredGroup& group, const Point& point, const Target& target) {
  const auto rows = *rows_of(group);
  if (target.group_items == 1) {
    (rows.runs_along_memory() ? run_along_on_cpu : run_across_on_cpu)(group, point, rows);
  } else {
    // A work-group for each row of a few steps leaves most of its work-items without work.
    const bool is_long = rows.runs_along_memory() && point["parts"] >= 16;
    (is_long ? run_along_on_gpu : run_across_on_gpu)(group, point, rows);
  }
}

}  // namespace tensordsl::schedules

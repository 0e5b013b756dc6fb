// The ways in which a processor computes rows. Needs: rows_of(group). See schedules/reduce/row_reduction.h.
#pragma once

#include <cstdint>

#include "definitions/stored_group.h"
#include "schedules/reduce/rows.h"
#include "schedules/support/point.h"

namespace tensordsl::schedules {

/// Rounds of a work-group's parts: the last is seldom whole.
constexpr std::int64_t kRounds = 4;

/// A work-item of a CPU computes each of its rows in vectors along it.
void run_along_on_cpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows);

/// A work-item of a CPU computes as many rows at a time as a vector has lanes.
void run_across_on_cpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows);

/// A work-group computes a row, its work-items side by side along it.
void run_along_on_gpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows);

/// A work-item computes a row; its neighbor computes the next one.
void run_across_on_gpu(const definitions::StoredGroup& group, const Point& point, const Rows& rows);

}  // namespace tensordsl::schedules

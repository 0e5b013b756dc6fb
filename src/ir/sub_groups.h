// Operations of a sub-group: the work-items that run in step on one SIMD unit. They are intrinsics, and stand alone as the
// value of a Store, where all work-items of the sub-group meet; nowhere else, so that no pass moves one under a test.
#pragma once

#include <array>
#include <string_view>

#include "ir/stmt.h"

namespace tensordsl::ir {

/// Combines a scalar of every work-item; each gets the result. i32, i64 or f32.
struct SubGroupReduction {
  std::string_view name;  // of the intrinsic, and in OpenCL C
  ExprKind operation;
};

inline constexpr std::array<SubGroupReduction, 3> kSubGroupReductions{{
    {"sub_group_reduce_add", ExprKind::Add},
    {"sub_group_reduce_max", ExprKind::Max},
    {"sub_group_reduce_min", ExprKind::Min},
}};

/// Null if no reduction has that name.
constexpr const SubGroupReduction* find_sub_group_reduction(std::string_view name) {
  for (const SubGroupReduction& r : kSubGroupReductions) {
    if (r.name == name) return &r;
  }
  return nullptr;
}

/// Null if sub-groups have no such operation.
constexpr const SubGroupReduction* find_sub_group_reduction(ExprKind operation) {
  for (const SubGroupReduction& r : kSubGroupReductions) {
    if (r.operation == operation) return &r;
  }
  return nullptr;
}

inline bool is_sub_group_operation(const ExprNode& e) { return e.kind == ExprKind::Intrinsic && find_sub_group_reduction(e.name); }

/// The operation of a Store whose value is one; null for everything else.
inline const SubGroupReduction* sub_group_reduction_of(const StmtNode& stmt) {
  const bool is_one = stmt.kind == StmtKind::Store && is_sub_group_operation(*stmt.exprs[0]);
  return is_one ? find_sub_group_reduction(stmt.exprs[0]->name) : nullptr;
}

}  // namespace tensordsl::ir

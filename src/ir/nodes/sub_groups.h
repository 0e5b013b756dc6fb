// Operations of a sub-group: the work-items that run in lockstep on one SIMD unit. They are intrinsics, and
// occur only as the value of a Store, which all work-items of the sub-group reach, so that no pass moves one
// under a test.
#pragma once

#include <array>
#include <string_view>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

enum class SubGroupOperationKind : std::uint8_t {
  Reduce,     // (value): a scalar of every work-item is combined; each gets the result
  Broadcast,  // (value, lane): each gets the value of work-item `lane`, the same for all
  Shuffle,    // (value, lane): each gets the value of the work-item that it names
  Multiply,   // (a, b, c): c + a*b of matrices of which each holds some elements: kMatrixTile
};

/// A product of matrices: c [rows, columns] of f32 += a [rows, depth] * b [columns, depth], of f16. Work-item
/// l holds the elements
///   c: [l/4 + 8*i, l%4*2 + j]              at 2*i + j           i, j of [0, 2)
///   a: [l/4 + 8*i, l%4*2 + 8*h + j]        at 4*h + 2*i + j     h of [0, 2)
///   b: [l/4, l%4*2 + 8*h + j]              at 2*h + j
/// Source: NVIDIA, PTX ISA, mma.sync.m16n8k16.
struct MatrixTile {
  int lanes = 32, rows = 16, columns = 8, depth = 16;
};
inline constexpr MatrixTile kMatrixTile{};

/// An operation on i32, i64 or f32; a lane is i32. A product takes f16x8, f16x4 and f32x4.
struct SubGroupOperation {
  std::string_view name;  // name of the intrinsic, and in OpenCL C
  SubGroupOperationKind kind;
  int operands;
  ExprKind combined_by = ExprKind::Add;  // operator of a Reduce
};

inline constexpr std::array<SubGroupOperation, 6> kSubGroupOperations{{
    {"sub_group_reduce_add", SubGroupOperationKind::Reduce, 1, ExprKind::Add},
    {"sub_group_reduce_max", SubGroupOperationKind::Reduce, 1, ExprKind::Max},
    {"sub_group_reduce_min", SubGroupOperationKind::Reduce, 1, ExprKind::Min},
    {"sub_group_broadcast", SubGroupOperationKind::Broadcast, 2},
    {"sub_group_shuffle", SubGroupOperationKind::Shuffle, 2},
    {"sub_group_multiply", SubGroupOperationKind::Multiply, 3},
}};

/// True for the types that sub-group operations take.
constexpr bool is_sub_group_type(Type type) {
  return type == Float(32) || type == Int(32) || type == Int(64);
}

/// Returns the operation of that name; null if there is none.
constexpr const SubGroupOperation* find_sub_group_operation(std::string_view name) {
  for (const SubGroupOperation& o : kSubGroupOperations) {
    if (o.name == name) return &o;
  }
  return nullptr;
}

/// Returns the reduction of a sub-group by that operation; null if there is none. A minimum or maximum that
/// propagates NaNs uses the one of numbers, and another reduction that detects NaNs.
constexpr const SubGroupOperation* find_sub_group_reduction(ExprKind combined_by) {
  if (combined_by == ExprKind::MinOrNan) combined_by = ExprKind::Min;
  if (combined_by == ExprKind::MaxOrNan) combined_by = ExprKind::Max;
  for (const SubGroupOperation& o : kSubGroupOperations) {
    if (o.kind == SubGroupOperationKind::Reduce && o.combined_by == combined_by) return &o;
  }
  return nullptr;
}

inline bool is_sub_group_operation(const ExprNode& e) {
  return e.kind == ExprKind::Intrinsic && find_sub_group_operation(e.name);
}

/// Returns the sub-group operation of a Store whose value is one; null for every other statement.
inline const SubGroupOperation* sub_group_operation_of(const StmtNode& stmt) {
  const bool is_one = stmt.kind == StmtKind::Store && is_sub_group_operation(*stmt.value());
  return is_one ? find_sub_group_operation(stmt.value()->name) : nullptr;
}

}  // namespace tensordsl::ir

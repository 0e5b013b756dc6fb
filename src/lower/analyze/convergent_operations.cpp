#include "lower/analyze/convergent_operations.h"

#include "ir/nodes/sub_groups.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

template <typename F>
bool holds_anywhere(const Stmt& stmt, F test) {
  bool found = false;
  if (!stmt.defined()) return found;
  visit(stmt, [&](const Stmt& s) {
    found = found || test(*s);
    return !found;
  });
  return found;
}

}  // namespace

bool has_convergent_operation(const Stmt& stmt) {
  return holds_anywhere(
      stmt, [](const StmtNode& s) { return s.kind == StmtKind::Barrier || sub_group_operation_of(s); });
}

bool has_barrier(const Stmt& stmt) {
  return holds_anywhere(stmt, [](const StmtNode& s) { return s.kind == StmtKind::Barrier; });
}

bool has_sub_group_operation(const Stmt& stmt) {
  return holds_anywhere(stmt, [](const StmtNode& s) { return sub_group_operation_of(s) != nullptr; });
}

bool has_shuffle(const Stmt& stmt) {
  return holds_anywhere(stmt, [](const StmtNode& s) {
    const SubGroupOperation* operation = sub_group_operation_of(s);
    return operation && operation->kind == SubGroupOperationKind::Shuffle;
  });
}

}  // namespace tensordsl::lower

#include "lower/passes/work_items/check_barriers.h"

#include <fmt/format.h>

#include <set>

#include "ir/nodes/sub_groups.h"
#include "lower/lowered.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Checks that every work-item of a group reaches every barrier: no test or loop around one depends on the
/// work-item.
class UniformityChecker {
 public:
  UniformityChecker(const Stmt& kernel, std::string function)
      : kernel_(kernel), function_(std::move(function)) {}

  /// `varying`: the names whose values differ between work-items; `test`: the test or loop around `stmt` that
  /// does.
  void run(const Stmt& stmt, std::set<std::string> varying, const std::string& test) const {
    if (stmt->kind == StmtKind::Barrier && !test.empty()) {
      throw ScheduleError(
          fmt::format("{}: all work-items of a group must reach a barrier, but {} excludes some of them; "
                      "make the factors of the gpu_threads loops divide the extents, or use "
                      "Tail::ShiftInwards, or Tail::RoundUp if the extent is not fixed",
                      function_, test));
    }
    if (const SubGroupOperation* operation = sub_group_operation_of(*stmt); operation && !test.empty()) {
      const bool adds_up = operation->kind == SubGroupOperationKind::Reduce;
      throw ScheduleError(fmt::format(
          "{}: all work-items of a sub-group must take part to {}, but {} excludes some of them; make the "
          "factors of the gpu_threads loops divide the extents{}, and give {} all work-items of dimension 0",
          function_, adds_up ? "reduce" : "exchange values", test,
          adds_up ? "" : ", or use Tail::ShiftInwards", adds_up ? "gpu_lanes" : "store_in(SubGroup)"));
    }
    if (stmt->kind == StmtKind::For && stmt->loop == LoopKind::Matrix && !test.empty()) {
      throw ScheduleError(fmt::format(
          "{}: all work-items of a sub-group must take part to multiply matrices, but {} excludes some of "
          "them; make the factors of the gpu_threads loops divide the extents, or use Tail::ShiftInwards",
          function_, test));
    }
    std::string around = test;
    if (stmt->kind == StmtKind::If && varies(stmt->condition(), varying)) {
      around = fmt::format("the test {}", tensordsl::to_string(stmt->condition()));
    }
    if (stmt->kind == StmtKind::For && varies(stmt->extent(), varying)) {
      around = fmt::format("the loop \"{}\", whose length differs between work-items,", stmt->name);
    }
    if (stmt->kind == StmtKind::For && varies(stmt->min(), varying)) varying.insert(stmt->name);
    if (stmt->kind == StmtKind::Let && varies(stmt->value(), varying)) varying.insert(stmt->name);
    for (const Stmt& s : stmt->body) run(s, varying, around);
  }

 private:
  /// Tensors that the kernel writes may differ; its inputs do not, at one index.
  bool varies(const Expr& expr, const std::set<std::string>& varying) const {
    bool result = false;
    visit(expr, [&](const Expr& e) {
      result = result || (e->kind == ExprKind::Load && is_stored(e->name));
      if (e->kind == ExprKind::Var) {
        result = result || varying.contains(e->name);
        for (const char* index : kThreadNames) result = result || e->name == index;
      }
      return !result;
    });
    return result;
  }

  bool is_stored(const std::string& tensor) const {
    bool result = false;
    visit(kernel_, [&](const Stmt& s) {
      result = result || (s->kind == StmtKind::Store && s->name == tensor);
      return !result;
    });
    return result;
  }

  const Stmt& kernel_;
  std::string function_;
};

}  // namespace

void check_barriers(const Stmt& stmt, const std::string& function) {
  UniformityChecker(stmt, function).run(stmt, {}, "");
}

}  // namespace tensordsl::lower

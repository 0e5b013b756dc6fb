// Accesses of the work-items of a group: may two work-items access the same element?
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// A Load or Store as the work-items make it. Its indices are over the work-item's own index, over names that
/// differ between work-items, whose ranges are in `own`, and over names that are the same for all.
struct WorkItemAccess {
  std::string tensor;
  bool is_store = false;
  bool is_known = true;  // false if an index reads memory
  std::vector<Expr> indices;
  std::vector<std::int64_t> extents;  // largest extents of the tensor; empty if they are not known
  std::array<ir::Interval, 3> items;  // the work-items that make it, in each dimension of the group
  ir::Bounds own;
};

/// False only if it is proven that no two work-items access one element by these accesses.
bool may_meet(const WorkItemAccess& a, const WorkItemAccess& b);

/// Generalizes an access to any iteration of a serial loop around it.
WorkItemAccess in_any_iteration(WorkItemAccess access, const ir::StmtNode& loop);

/// The loops and names around a statement of a nest that still has its thread loops.
class WorkItemScope {
 public:
  /// Analyzes the whole nest: the accesses of tiles in local memory or, if `exchanged` is not empty, of these
  /// tensors in global memory.
  explicit WorkItemScope(const ir::Stmt& nest, const std::set<std::string>& exchanged = {});

  /// Returns the scope inside a Let, an Allocate or a loop. Inside a serial loop whose ends are the same for
  /// all work-items, it is one iteration, the same for all.
  WorkItemScope inside(const ir::StmtNode& stmt) const { return enter(stmt, false); }

  /// Returns the accesses of those tensors in a statement, in any iterations of its loops.
  std::vector<WorkItemAccess> accesses(const ir::Stmt& stmt) const;
  /// Returns the accesses of an expression that a Let or a loop evaluates before its body.
  std::vector<WorkItemAccess> reads(const Expr& expr) const;

 private:
  struct Tensor {
    ir::Memory memory = ir::Memory::Global;
    std::size_t loops = 0;  // the thread loops around its allocation
    std::vector<std::int64_t> extents;
  };
  struct ThreadLoop {
    std::size_t dimension;
    ir::Interval items;
  };

  WorkItemScope enter(const ir::StmtNode& stmt, bool is_repeated) const;
  void bind_own(const std::string& name, const Expr& first, ir::Interval steps);
  bool is_uniform(const Expr& expr) const;
  bool is_shared(const std::string& tensor) const;
  std::array<ir::Interval, 3> all_items() const;
  std::array<ir::Interval, 3> items_that_store(const std::string& tensor) const;
  void collect(const ir::Stmt& stmt, std::vector<WorkItemAccess>& found) const;
  void collect(const Expr& expr, const std::array<ir::Interval, 3>& items,
               std::vector<WorkItemAccess>& found) const;
  WorkItemAccess access(const std::string& tensor, bool is_store, const Expr* first, std::size_t count,
                        const std::array<ir::Interval, 3>& items) const;

  std::array<std::int64_t, 3> group_{1, 1, 1};
  ir::Memory shared_ = ir::Memory::Local;
  std::vector<ThreadLoop> loops_;
  std::map<std::string, Tensor> tensors_;
  ir::Substitution values_;  // values of names that are bound around
  ir::Bounds own_;
};

}  // namespace tensordsl::lower

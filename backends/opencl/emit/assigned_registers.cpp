#include "backends/opencl/emit/assigned_registers.h"

#include <string>
#include <utility>

namespace tensordsl::opencl {

using namespace ir;

namespace {

using Names = std::unordered_set<std::string>;

class AssignedRegisters {
 public:
  /// Returns the names that have a value after the statement. One walk serves all allocations: a walk for
  /// each would take time quadratic in the size of a register tile.
  Names run(const Stmt& stmt) {
    switch (stmt->kind) {
      case StmtKind::Store:
        return {stmt->name};
      case StmtKind::Block:
        return run_block(*stmt);
      case StmtKind::If:
        return run_test(*stmt);
      case StmtKind::For: {
        Names assigned = run(stmt->body[0]);
        const std::int64_t* extent = as_int(stmt->extent());
        return extent != nullptr && *extent > 0 ? std::move(assigned) : Names();
      }
      case StmtKind::Allocate: {
        Names assigned = run(stmt->body[0]);
        if (assigned.erase(stmt->name) > 0) found_.insert(stmt.get());
        return assigned;
      }
      case StmtKind::Let:
        return run(stmt->body[0]);
      case StmtKind::Barrier:
        return {};
    }
    return {};
  }

  std::unordered_set<const StmtNode*> take() { return std::move(found_); }

 private:
  Names run_block(const StmtNode& block) {
    Names all;
    for (const Stmt& s : block.body) {
      Names more = run(s);
      if (more.size() > all.size()) std::swap(all, more);
      all.merge(more);
    }
    return all;
  }

  Names run_test(const StmtNode& test) {
    Names both = run(test.body[0]);
    const Names otherwise = test.body.size() > 1 ? run(test.body[1]) : Names();
    std::erase_if(both, [&](const std::string& name) { return !otherwise.contains(name); });
    return both;
  }

  std::unordered_set<const StmtNode*> found_;
};

}  // namespace

std::unordered_set<const StmtNode*> assigned_registers(const Stmt& kernel) {
  AssignedRegisters registers;
  if (kernel.defined()) registers.run(kernel);
  return registers.take();
}

}  // namespace tensordsl::opencl

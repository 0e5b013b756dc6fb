#include "lower/passes/loops/keep_loops.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "lower/analyze/registers.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Iterations up to which compilers unroll.
constexpr std::int64_t kMostUnrolledTrips = 32;
/// Reads of an iteration that hide one another's latency.
constexpr int kEnoughReads = 4;

int value_registers(Type type) { return std::max(1, type.bits * type.lanes / 32); }

/// Reads of memory in a statement, each distinct one once.
struct IterationReads {
  int count = 0, registers = 0;
};

bool has_loop_or_barrier(const Stmt& stmt) {
  bool found = false;
  visit(stmt, [&](const Stmt& s) {
    found = found || s->kind == StmtKind::For || s->kind == StmtKind::Barrier;
    return !found;
  });
  return found;
}

class LoopKeeper {
 public:
  LoopKeeper(const Stmt& kernel, int registers) : variables_(register_names(kernel)), registers_(registers) {}

  Stmt run(const Stmt& stmt, int held) const {
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::Register)
      held += value_registers(stmt->type);
    if (stmt->kind == StmtKind::For && unrolls_too_far(*stmt, held))
      return make_for(stmt->name, stmt->min(), stmt->extent(), LoopKind::Kept, stmt->body[0]);
    return map_children(
        stmt, [](const Expr& e) { return e; }, [&](const Stmt& s) { return run(s, held); });
  }

 private:
  bool unrolls_too_far(const StmtNode& loop, int held) const {
    const std::int64_t* trips = as_int(loop.extent());
    if (loop.loop != LoopKind::Serial || !trips || *trips < 2 || *trips > kMostUnrolledTrips) return false;
    if (has_loop_or_barrier(loop.body[0])) return false;
    const IterationReads reads = reads_of(loop.body[0]);
    return reads.count >= kEnoughReads && held + *trips * reads.registers > registers_;
  }

  IterationReads reads_of(const Stmt& stmt) const {
    IterationReads reads;
    std::unordered_set<Expr, ExprHash, ExprSame> seen;
    visit(
        stmt, [](const Stmt&) { return true; },
        [&](const Expr& root) {
          visit(root, [&](const Expr& e) {
            const bool is_read = e->kind == ExprKind::Load && !variables_.contains(e->name);
            if (is_read && seen.insert(e).second) {
              ++reads.count;
              reads.registers += value_registers(e.type());
            }
            return true;
          });
        });
    return reads;
  }

  std::set<std::string> variables_;
  int registers_;
};

}  // namespace

Stmt keep_loops(const Stmt& stmt, int registers) {
  return registers == 0 ? stmt : LoopKeeper(stmt, registers).run(stmt, 0);
}

}  // namespace tensordsl::lower

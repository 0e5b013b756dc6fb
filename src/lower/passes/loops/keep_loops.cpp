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
/// Registers of an address of 64 bits, and of what an instruction reads with its address.
constexpr int kPointerRegisters = 2, kReadRegisters = 4 + kPointerRegisters;

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

/// True if one of the expressions reads one of the variables.
bool reads_one_of(const std::vector<Expr>& exprs, const std::set<std::string>& variables) {
  bool found = false;
  for (const Expr& expr : exprs) {
    visit(expr, [&](const Expr& e) {
      found = found || (e->kind == ExprKind::Var && variables.contains(e->name));
      return !found;
    });
  }
  return found;
}

class LoopKeeper {
 public:
  LoopKeeper(const Stmt& kernel, int registers, bool gathers_reads, int live)
      : inside_(register_names(kernel)), registers_(registers), gathers_reads_(gathers_reads), live_(live) {
    visit(kernel, [&](const Stmt& s) {
      if (s->kind == StmtKind::Allocate && s->memory == Memory::Local) local_.insert(s->name);
      return true;
    });
  }

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
    if (gathers_reads_) return reads.count >= kEnoughReads && held + *trips * reads.registers > registers_;
    return held + *trips * registers_of_addresses(loop) > registers_ ||
           (reads.count >= kEnoughReads && live_ + kEnoughReads * kReadRegisters > registers_);
  }

  IterationReads reads_of(const Stmt& stmt) const {
    IterationReads reads;
    std::unordered_set<Expr, ExprHash, ExprSame> seen;
    visit(
        stmt, [](const Stmt&) { return true; },
        [&](const Expr& root) {
          visit(root, [&](const Expr& e) {
            const bool is_read = e->kind == ExprKind::Load && !inside_.contains(e->name);
            if (is_read && seen.insert(e).second) {
              ++reads.count;
              reads.registers += value_registers(e.type());
            }
            return true;
          });
        });
    return reads;
  }

  /// Returns the registers of addresses of global memory, and of coordinates of images, that are new in each
  /// iteration of a loop that stores. An address is the sum of a pointer and an offset, which accesses with
  /// the same index share. Returns 0 for other loops.
  int registers_of_addresses(const StmtNode& loop) const {
    std::set<std::string> moving{loop.name};
    std::unordered_set<Expr, ExprHash, ExprSame> reads, indices;
    int stores = 0;
    const auto note_if_moving = [&](const std::string& memory, const std::vector<Expr>& operands) {
      if (inside_.contains(memory) || local_.contains(memory) || !reads_one_of(operands, moving))
        return false;
      indices.insert(operands.begin(), operands.end());
      return true;
    };
    visit(
        loop.body[0],
        [&](const Stmt& s) {
          if (s->kind == StmtKind::Let) moving.insert(s->name);
          if (s->kind == StmtKind::Store && note_if_moving(s->name, s->indices())) ++stores;
          return true;
        },
        [&](const Expr& root) {
          visit(root, [&](const Expr& e) {
            if (e->kind == ExprKind::Load && note_if_moving(e->name, e->operands)) reads.insert(e);
            return true;
          });
        });
    if (stores == 0) return 0;
    return kPointerRegisters * (stores + static_cast<int>(reads.size() + indices.size()));
  }

  std::set<std::string> inside_, local_;  // registers of a work-item, and tiles of a group
  int registers_;
  bool gathers_reads_;
  int live_;
};

}  // namespace

Stmt keep_loops(const Stmt& stmt, int registers, bool gathers_reads, int live) {
  return registers == 0 ? stmt : LoopKeeper(stmt, registers, gathers_reads, live).run(stmt, 0);
}

}  // namespace tensordsl::lower

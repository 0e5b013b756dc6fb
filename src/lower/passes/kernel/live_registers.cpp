#include "lower/passes/kernel/live_registers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/nodes/work_counter.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Returns the registers of a value. A Bool is a predicate, and in registers of another kind.
int registers_of(Type type, bool half_arithmetic) {
  if (type.is_bool()) return 0;
  const int bits = type.is_float() && !half_arithmetic ? std::max<int>(type.bits, 32) : type.bits;
  return std::max(1, bits * type.lanes / 32);
}

/// Names that are read later, with the registers of each.
class Live {
 public:
  void add(const std::string& name, int registers) {
    if (names_.emplace(name, registers).second) registers_ += registers;
  }
  void add(const Live& other) {
    for (const auto& [name, registers] : other.names_) add(name, registers);
  }
  void remove(const std::string& name) {
    const auto found = names_.find(name);
    if (found == names_.end()) return;
    registers_ -= found->second;
    names_.erase(found);
  }
  int registers() const { return registers_; }

 private:
  std::map<std::string, int> names_;
  int registers_ = 0;  // registers of all names
};

/// The names that a statement's expressions read, and the registers of their temporaries.
struct Uses {
  Live names;
  int on_the_way = 0;
};

/// Backward data-flow analysis: a name is live from its first value to its last use.
class Liveness {
 public:
  explicit Liveness(const LoweredKernel& kernel) : half_arithmetic_(kernel.half_arithmetic) {
    for (const ScalarArgument& scalar : kernel.scalars) uniform_.insert(scalar.name);
    for (const char* name : kBlockNames) uniform_.insert(name);
  }

  int most() const { return most_; }

  /// Transfer function: live-in of `stmt` from its live-out.
  Live before(const Stmt& stmt, Live behind) {
    switch (stmt->kind) {
      case StmtKind::Block:
        for (auto inner = stmt->body.rbegin(); inner != stmt->body.rend(); ++inner)
          behind = before(*inner, std::move(behind));
        return behind;
      case StmtKind::For: {
        // Values from before the loop are live in all of its iterations.
        behind.add(read_by_loop(*stmt));
        behind.add(stmt->name, 1);
        Live first = before(stmt->body[0], behind);
        first.add(behind);
        first.remove(stmt->name);
        return evaluate(*stmt, std::move(first));
      }
      case StmtKind::If: {
        Live either = before(stmt->body[0], behind);
        either.add(stmt->body.size() > 1 ? before(stmt->body[1], std::move(behind)) : behind);
        return evaluate(*stmt, std::move(either));
      }
      case StmtKind::Let: {
        Live live = before(stmt->body[0], std::move(behind));
        live.remove(stmt->name);
        return evaluate(*stmt, std::move(live));
      }
      case StmtKind::Store:
        if (variables_.contains(stmt->name)) behind.remove(stmt->name);
        return evaluate(*stmt, std::move(behind));
      case StmtKind::Allocate: {
        note_variable(*stmt);
        Live live = before(stmt->body[0], std::move(behind));
        live.remove(stmt->name);
        return live;
      }
      case StmtKind::Barrier:
        return behind;
    }
    return behind;
  }

 private:
  void note_variable(const StmtNode& allocation) {
    if (allocation.memory == Memory::Register) variables_.insert(allocation.name);
  }

  /// Notes the pressure while a statement's expressions are evaluated, and returns its live-in.
  Live evaluate(const StmtNode& stmt, Live live) {
    const Uses& uses = uses_of(stmt);
    live.add(uses.names);
    most_ = std::max(most_, live.registers() + uses.on_the_way);
    return live;
  }

  /// Returns the outer names that the body of a loop reads. Nested loops are walked once.
  const Live& read_by_loop(const StmtNode& loop) {
    const auto found = read_by_loops_.find(&loop);
    if (found != read_by_loops_.end()) return found->second;
    Live read;
    add_reads(loop.body[0], read);
    read.remove(loop.name);
    return read_by_loops_.emplace(&loop, std::move(read)).first->second;
  }

  void add_reads(const Stmt& stmt, Live& read) {
    if (stmt->kind == StmtKind::For) {
      read.add(read_by_loop(*stmt));
    } else {
      if (stmt->kind == StmtKind::Allocate) note_variable(*stmt);
      for (const Stmt& inner : stmt->body) add_reads(inner, read);
      if (stmt->kind == StmtKind::Let || stmt->kind == StmtKind::Allocate) read.remove(stmt->name);
    }
    if (stmt->kind != StmtKind::Allocate) read.add(uses_of(*stmt).names);
  }

  const Uses& uses_of(const StmtNode& stmt) {
    const auto [found, is_new] = uses_.try_emplace(&stmt);
    Uses& uses = found->second;
    if (is_new)
      for (const Expr& expr : stmt.exprs)
        uses.on_the_way = std::max(uses.on_the_way, needed(expr, uses.names));
    return uses;
  }

  /// Sethi-Ullman numbering: the operand that needs most registers is computed first. A variable needs no
  /// temporary, and a constant is part of an instruction. Adds the names that `expr` reads to `names`.
  int needed(const Expr& expr, Live& names) const {
    WorkCounter::count();
    if (is_const(expr)) return 0;
    const int own = registers_of(expr.type(), half_arithmetic_);
    if (expr->kind == ExprKind::Var) {
      if (!uniform_.contains(expr->name)) names.add(expr->name, own);
      return 0;
    }
    if (expr->kind == ExprKind::Load && variables_.contains(expr->name)) {
      names.add(expr->name, own);
      return 0;
    }
    std::vector<std::pair<int, int>> parts;  // registers while an operand is computed, and of its result
    for (const Expr& operand : expr->operands) {
      if (is_const(operand)) continue;
      const int most = needed(operand, names);
      parts.emplace_back(most, most == 0 ? 0 : registers_of(operand.type(), half_arithmetic_));
    }
    if (expr->kind == ExprKind::Load) return own;
    std::ranges::sort(parts,
                      [](const auto& a, const auto& b) { return a.first - a.second > b.first - b.second; });
    int held = 0, most = 0;
    for (const auto& [on_the_way, then] : parts) {
      most = std::max(most, held + on_the_way);
      held += then;
    }
    // A broadcast scalar takes one register.
    return expr->kind == ExprKind::Broadcast ? most : std::max(most, held > 0 ? own : 0);
  }

  std::set<std::string> variables_;  // variables met so far; later statements read no others
  std::set<std::string> uniform_;
  bool half_arithmetic_;
  std::map<const StmtNode*, Uses> uses_;
  std::map<const StmtNode*, Live> read_by_loops_;
  int most_ = 0;
};

}  // namespace

int live_registers(const LoweredKernel& kernel) {
  if (!kernel.body.defined()) return 0;
  Liveness liveness(kernel);
  liveness.before(kernel.body, {});
  return liveness.most();
}

}  // namespace tensordsl::lower

#include "lower/passes/kernel/live_registers.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

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

/// The names that a statement's expressions read, the registers of their temporaries, and of what they read
/// from memory, with the addresses of all accesses.
struct Uses {
  Live names;
  int on_the_way = 0;
  std::vector<std::pair<Expr, int>> reads;
  int stores = 0;
};

/// Registers of an address, which has 64 bits, and of the coordinates of an image.
constexpr int kOfAddress = 2;

/// A loop that the device's compiler unrolls, if its body has at most so many operations in all iterations.
constexpr std::int64_t kMostUnrolledOperations = 832;
constexpr std::int64_t kMostUnrolledIterations = 32;

/// Counts operations on single numbers.
std::int64_t operations_of(const Expr& root) {
  std::int64_t operations = 0;
  visit(root, [&](const Expr& e) {
    if (!is_const(e) && e->kind != ExprKind::Var) operations += e.type().is_float() ? e.type().lanes : 1;
    return true;
  });
  return operations;
}

/// Backward data-flow analysis: a name is live from its first value to its last use.
class Liveness {
 public:
  Liveness(const LoweredKernel& kernel, bool gathers_reads)
      : half_arithmetic_(kernel.half_arithmetic), gathers_reads_(gathers_reads) {
    for (const ScalarArgument& scalar : kernel.scalars) uniform_.insert(scalar.name);
    for (const char* name : kBlockNames) uniform_.insert(name);
    for (const BufferArgument& buffer : kernel.buffers)
      (buffer.image ? images_ : buffers_).insert(buffer.name);
  }

  /// Returns the most registers that are live in the kernel.
  int most_in(const Stmt& kernel) {
    begin_accesses(before(kernel, {}));
    return most_;
  }

  /// Transfer function: live-in of `stmt` from its live-out.
  Live before(const Stmt& stmt, Live behind) {
    switch (stmt->kind) {
      case StmtKind::Block:
        for (auto inner = stmt->body.rbegin(); inner != stmt->body.rend(); ++inner)
          behind = before(*inner, std::move(behind));
        return behind;
      case StmtKind::For: {
        const bool is_unrolled = gathers_reads_ && unrolled_operations(*stmt).has_value();
        if (!is_unrolled) begin_accesses(behind);
        const int accesses_behind = accesses_;
        // Values from before the loop are live in all of its iterations.
        behind.add(read_by_loop(*stmt));
        behind.add(stmt->name, 1);
        Live first = before(stmt->body[0], behind);
        first.add(behind);
        if (is_unrolled)
          accesses_ =
              accesses_behind + (accesses_ - accesses_behind) * static_cast<int>(*as_int(stmt->extent()));
        else
          begin_accesses(first);
        first.remove(stmt->name);
        return evaluate(*stmt, std::move(first));
      }
      case StmtKind::If: {
        begin_accesses(behind);
        Live either = before(stmt->body[0], behind);
        begin_accesses(either);
        either.add(stmt->body.size() > 1 ? before(stmt->body[1], std::move(behind)) : behind);
        begin_accesses(either);
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
    accesses_ += uses.stores;
    for (const auto& [read, registers] : uses.reads) {
      if (run_reads_.insert(read).second) accesses_ += registers;
    }
    most_ = std::max(most_, live.registers() + uses.on_the_way);
    return live;
  }

  /// Notes the pressure where a run of statements without a loop or a test begins: all of its reads may be on
  /// the way at once.
  void begin_accesses(const Live& live) {
    if (gathers_reads_) most_ = std::max(most_, live.registers() + accesses_);
    accesses_ = 0;
    run_reads_.clear();
  }

  /// Returns the operations of all iterations of a loop that the compiler unrolls, with all loops inside it.
  static std::optional<std::int64_t> unrolled_operations(const StmtNode& loop) {
    const std::int64_t* trips = as_int(loop.extent());
    if (loop.loop != LoopKind::Serial || !trips || *trips > kMostUnrolledIterations) return std::nullopt;
    const auto once = operations_if_unrolled(loop.body[0]);
    if (!once || *once * *trips > kMostUnrolledOperations) return std::nullopt;
    return *once * *trips;
  }

  static std::optional<std::int64_t> operations_if_unrolled(const Stmt& stmt) {
    if (stmt->kind == StmtKind::For) return unrolled_operations(*stmt);
    if (stmt->kind == StmtKind::Barrier) return std::nullopt;
    std::int64_t operations = 0;
    for (const Expr& e : stmt->exprs) operations += operations_of(e);
    for (const Stmt& s : stmt->body) {
      const auto inner = operations_if_unrolled(s);
      if (!inner) return std::nullopt;
      operations += *inner;
    }
    return operations;
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
    if (is_new && gathers_reads_) count_memory_accesses(stmt, uses);
    return uses;
  }

  void count_memory_accesses(const StmtNode& stmt, Uses& uses) const {
    for (const Expr& root : stmt.exprs) {
      visit(root, [&](const Expr& e) {
        if (e->kind != ExprKind::Load || variables_.contains(e->name)) return true;
        const int registers = registers_of(e.type(), half_arithmetic_);
        // The coordinates of an image are where the result then is.
        const int of_addresses = buffers_.contains(e->name) ? registers_of_addresses(registers) : 0;
        uses.reads.emplace_back(e, registers + of_addresses);
        return true;
      });
    }
    if (stmt.kind != StmtKind::Store) return;
    // While reads are on the way, compilers compute where results will be stored.
    if (buffers_.contains(stmt.name))
      uses.stores += registers_of_addresses(registers_of(stmt.value().type(), half_arithmetic_));
    if (images_.contains(stmt.name)) uses.stores += kOfAddress;
  }

  /// Returns the registers of a vector's addresses: an instruction accesses up to four registers.
  static int registers_of_addresses(int registers) {
    constexpr int kOfAccess = 4;
    return (registers + kOfAccess - 1) / kOfAccess * kOfAddress;
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
  std::set<std::string> buffers_, images_;  // arguments that are accessed by address, and by coordinates
  bool half_arithmetic_;
  bool gathers_reads_;
  /// Registers of the accesses since the last loop or test, from behind, and the reads among them.
  int accesses_ = 0;
  std::unordered_set<Expr, ExprHash, ExprSame> run_reads_;
  std::map<const StmtNode*, Uses> uses_;
  std::map<const StmtNode*, Live> read_by_loops_;
  int most_ = 0;
};

}  // namespace

int live_registers(const LoweredKernel& kernel, bool gathers_reads) {
  return kernel.body.defined() ? Liveness(kernel, gathers_reads).most_in(kernel.body) : 0;
}

}  // namespace tensordsl::lower

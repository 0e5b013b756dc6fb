#include "lower/passes/work_items/place_barriers.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ir/simplify/simplifier.h"
#include "lower/analyze/loop_carried_dependence.h"
#include "lower/analyze/work_item_accesses.h"
#include "lower/place/loop_names.h"
#include "lower/stages.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

using Accesses = std::vector<WorkItemAccess>;

/// True if one writes an element that another work-item accesses by the other.
bool need_barrier(const WorkItemAccess& a, const WorkItemAccess& b) {
  return a.tensor == b.tensor && (a.is_store || b.is_store) && may_meet(a, b);
}

bool need_barrier(const Accesses& before, const Accesses& after) {
  return std::any_of(before.begin(), before.end(), [&](const WorkItemAccess& a) {
    return std::any_of(after.begin(), after.end(),
                       [&](const WorkItemAccess& b) { return need_barrier(a, b); });
  });
}

/// Statements that every work-item runs one after the other.
struct Sequence {
  Accesses head;   // before the first barrier
  Accesses since;  // after the last one
  bool has_barrier = false;

  void add(const Accesses& accesses) {
    if (!has_barrier) head.insert(head.end(), accesses.begin(), accesses.end());
    since.insert(since.end(), accesses.begin(), accesses.end());
  }
  void add_barrier() {
    since.clear();
    has_barrier = true;
  }
};

class BarrierPlacer {
 public:
  /// Places barriers between accesses of tiles in local memory.
  BarrierPlacer(std::set<std::string> synchronized, Bounds bounds)
      : synchronized_(std::move(synchronized)), bounds_(std::move(bounds)) {}

  /// Places barriers between accesses of `exchanged` in global memory.
  static BarrierPlacer in_global_memory(std::set<std::string> exchanged, Bounds bounds) {
    BarrierPlacer placer({}, std::move(bounds));
    placer.memory_ = Memory::Global;
    placer.exchanged_ = std::move(exchanged);
    return placer;
  }

  Stmt run(const Stmt& nest) const {
    if (!exchanges(nest)) return nest;
    Sequence sequence;
    return run(nest, WorkItemScope(nest, exchanged_), sequence);
  }

 private:
  Stmt run(const Stmt& stmt, const WorkItemScope& scope, Sequence& sequence) const {
    if (stmt->kind == StmtKind::Barrier) {
      if (stmt->memory == memory_) sequence.add_barrier();
      return stmt;
    }
    if (stmt->kind == StmtKind::Block)
      return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s, scope, sequence); });
    if (is_once(*stmt)) {
      const WorkItemScope inside = scope.inside(*stmt);
      return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s, inside, sequence); });
    }
    const bool is_parted = part(sequence, accesses(scope, stmt));
    const bool is_spread = stmt->kind == StmtKind::For && is_thread_loop(stmt->loop);
    const Stmt result = is_spread || is_tuple_update(*stmt) ? stmt : run_inside(stmt, scope, sequence);
    return is_parted ? make_block({make_barrier(memory_), result}) : result;
  }

  /// True if a barrier is needed between the accesses so far and `now`.
  static bool part(Sequence& sequence, const Accesses& now) {
    const bool is_needed = need_barrier(sequence.since, now);
    if (is_needed) sequence.add_barrier();
    sequence.add(now);
    return is_needed;
  }

  /// True for the values of a tuple with their stores: one work-item runs them, like one statement.
  static bool is_tuple_update(const StmtNode& stmt) {
    return stmt.kind == StmtKind::Let && reads_memory(stmt.value());
  }

  /// True if the body continues the sequence around it.
  bool is_once(const StmtNode& stmt) const {
    if (stmt.kind == StmtKind::Allocate) return true;
    if (stmt.kind == StmtKind::Let) return !is_tuple_update(stmt);
    return stmt.kind == StmtKind::For && (is_block_loop(stmt.loop) || is_thread_loop(stmt.loop)) &&
           (memory_ == Memory::Local ? allocates_local(stmt.body[0]) : has_thread_loop(stmt.body[0]));
  }

  /// True if work-items of a group may read elements that others of it write.
  bool exchanges(const Stmt& nest) const {
    if (memory_ == Memory::Local) return allocates_local(nest);
    bool stores = false;
    visit(nest, [&](const Stmt& s) {
      stores = stores || (s->kind == StmtKind::Store && exchanged_.contains(s->name));
      return !stores;
    });
    return stores;
  }

  static bool has_thread_loop(const Stmt& stmt) {
    bool found = false;
    visit(stmt, [&](const Stmt& s) {
      found = found || (s->kind == StmtKind::For && is_thread_loop(s->loop));
      return !found;
    });
    return found;
  }

  Stmt run_inside(const Stmt& stmt, const WorkItemScope& scope, Sequence& around) const {
    const bool binds = stmt->kind == StmtKind::For;
    const WorkItemScope inside = binds ? scope.inside(*stmt) : scope;
    const bool repeats = binds && !is_block_loop(stmt->loop);
    Sequence sequence;
    const Stmt s = map_children(stmt, nullptr, [&](const Stmt& body) {
      if (!repeats) sequence = {};  // one of the branches of a test runs
      return run(body, inside, sequence);
    });
    if (!repeats || !iterations_meet(*s, sequence)) return s;
    if (bounds_of(s->extent(), {}).low >= 1) around.add_barrier();
    return make_for(s->name, s->min(), s->extent(), s->loop, make_block({s->body[0], make_barrier(memory_)}));
  }

  /// True if accesses after an iteration's last barrier conflict with those before the next one's first.
  bool iterations_meet(const StmtNode& loop, const Sequence& iteration) const {
    const auto in_any = [&](Accesses accesses) {
      for (WorkItemAccess& a : accesses) a = in_any_iteration(std::move(a), loop);
      return accesses;
    };
    const Accesses one = in_any(iteration.since), next = in_any(iteration.head);
    std::set<std::string> exempt;
    for (const WorkItemAccess& a : one) {
      for (const WorkItemAccess& b : next) {
        if (exempt.contains(a.tensor) || !need_barrier(a, b)) continue;
        if (!writes_each_element_once(loop, a.tensor) && !takes_turns(loop, iteration, a.tensor)) return true;
        exempt.insert(a.tensor);
      }
    }
    return false;
  }

  static bool writes_each_element_once(const StmtNode& loop, const std::string& tensor) {
    bool is_read = false;
    visit(loop.body[0], nullptr, [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        is_read = is_read || (e->kind == ExprKind::Load && e->name == tensor);
        return !is_read;
      });
    });
    return !is_read && is_pure_loop_of(tensor, loop.name);
  }

  /// True if consecutive iterations use different parts of the tensor, with a barrier between writes and
  /// reads: the barrier of the next iteration then separates the one after it, which uses the same part
  /// again.
  bool takes_turns(const StmtNode& loop, const Sequence& iteration, const std::string& tensor) const {
    return iteration.has_barrier && !has_loop_carried_dependence(loop, tensor, bounds_);
  }

  bool allocates_local(const Stmt& stmt) const {
    bool found = false;
    visit(stmt, [&](const Stmt& s) {
      found = found || (s->kind == StmtKind::Allocate && s->memory == Memory::Local &&
                        !synchronized_.contains(s->name));
      return !found;
    });
    return found;
  }

  Accesses accesses(const WorkItemScope& scope, const Stmt& stmt) const {
    return to_synchronize(scope.accesses(stmt));
  }
  Accesses to_synchronize(Accesses accesses) const {
    std::erase_if(accesses, [&](const WorkItemAccess& a) { return synchronized_.contains(a.tensor); });
    return accesses;
  }

  Memory memory_ = Memory::Local;
  std::set<std::string> synchronized_, exchanged_;
  Bounds bounds_;  // bounds of the loops
};

}  // namespace

Stmt place_barriers(const Stmt& stmt, const std::set<std::string>& synchronized,
                    const std::set<std::string>& exchanged) {
  const Stmt in_local = BarrierPlacer(synchronized, constant_loops(stmt)).run(stmt);
  if (exchanged.empty()) return in_local;
  return BarrierPlacer::in_global_memory(exchanged, constant_loops(stmt)).run(in_local);
}

}  // namespace tensordsl::lower

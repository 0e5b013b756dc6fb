#include "lower/passes/place_barriers.h"

#include <algorithm>
#include <set>
#include <string>

#include "lower/loop_carried_dependence.h"
#include "lower/loop_names.h"
#include "lower/stages.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

struct Accesses {
  std::set<std::string> reads, writes;
};

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
}

class BarrierPlacer {
 public:
  BarrierPlacer(std::set<std::string> local, Bounds bounds)
      : local_(std::move(local)), bounds_(std::move(bounds)) {}

  Stmt run(const Stmt& stmt) const {
    Accesses since;
    return run(stmt, since);
  }

 private:
  /// `since`: what was accessed since the last barrier, before `stmt` and then with it.
  Stmt run(const Stmt& stmt, Accesses& since) const {
    const bool is_once = stmt->kind == StmtKind::Block || stmt->kind == StmtKind::Allocate ||
                         (stmt->kind == StmtKind::Let && !meet(reads_of(stmt->exprs[0]), since.writes)) ||
                         (stmt->kind == StmtKind::For &&
                          (is_block_loop(stmt->loop) || is_thread_loop(stmt->loop)) && allocates_local(stmt));
    if (is_once) {
      if (stmt->kind == StmtKind::Let) since.reads.merge(reads_of(stmt->exprs[0]));
      return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s, since); });
    }
    Accesses now = accesses(stmt);
    const bool meets =
        meet(now.reads, since.writes) || meet(now.writes, since.writes) || meet(now.writes, since.reads);
    if (meets) since = {};
    since.reads.merge(now.reads);
    since.writes.merge(now.writes);
    const Stmt result = is_spread(stmt) ? stmt : run_inside(stmt);
    return meets ? make_block({make_barrier(Memory::Local), result}) : result;
  }

  static bool is_spread(const Stmt& stmt) {
    return stmt->kind == StmtKind::For && is_thread_loop(stmt->loop);
  }

  Stmt run_inside(const Stmt& stmt) const {
    const Stmt s = map_children(stmt, nullptr, [&](const Stmt& body) { return run(body); });
    const bool repeats = s->kind == StmtKind::For && !is_block_loop(s->loop);
    if (!repeats || !iterations_meet(*s)) return s;
    return make_for(s->name, s->exprs[0], s->exprs[1], s->loop,
                    make_block({s->body[0], make_barrier(Memory::Local)}));
  }

  bool allocates_local(const Stmt& stmt) const {
    bool found = false;
    visit(stmt, [&](const Stmt& s) {
      found = found || (s->kind == StmtKind::Allocate && local_.contains(s->name));
      return !found;
    });
    return found;
  }

  /// Whether what one iteration writes meets what others read or write.
  bool iterations_meet(const StmtNode& loop) const {
    const Accesses all = accesses(loop.body[0]);
    for (const std::string& name : all.writes) {
      if (!all.reads.contains(name) && is_pure_loop_of(name, loop.name)) continue;
      if (!takes_turns(loop, name)) return true;
    }
    return false;
  }

  /// Whether iterations that follow each other use different parts of the tensor and have a barrier between
  /// their writes and their reads: then the iteration after the next one, which uses the same part again, is
  /// kept apart by the barrier of the next.
  bool takes_turns(const StmtNode& loop, const std::string& name) const {
    bool has_barrier = false;
    for (Stmt s = loop.body[0]; !has_barrier && (s->kind == StmtKind::Let || s->kind == StmtKind::Allocate ||
                                                 s->kind == StmtKind::Block);
         s = s->body.back()) {
      for (const Stmt& child : s->body) has_barrier = has_barrier || child->kind == StmtKind::Barrier;
    }
    if (!has_barrier) return false;
    return !has_loop_carried_dependence(loop, name, bounds_);
  }

  Accesses accesses(const Stmt& stmt) const {
    Accesses result;
    visit(
        stmt,
        [&](const Stmt& s) {
          if (s->kind == StmtKind::Store && local_.contains(s->name)) result.writes.insert(s->name);
          return true;
        },
        [&](const Expr& expr) { result.reads.merge(reads_of(expr)); });
    return result;
  }

  std::set<std::string> reads_of(const Expr& expr) const {
    std::set<std::string> result;
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load && local_.contains(e->name)) result.insert(e->name);
      return true;
    });
    return result;
  }

  std::set<std::string> local_;
  Bounds bounds_;  // of the loops
};

}  // namespace

Stmt place_barriers(const Stmt& stmt, const std::set<std::string>& synchronized) {
  std::set<std::string> local;
  visit(stmt, [&](const Stmt& s) {
    if (s->kind == StmtKind::Allocate && s->memory == Memory::Local && !synchronized.contains(s->name))
      local.insert(s->name);
    return true;
  });
  return local.empty() ? stmt : BarrierPlacer(std::move(local), constant_loops(stmt)).run(stmt);
}

}  // namespace tensordsl::lower

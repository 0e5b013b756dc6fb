#include "lower/passes/place_barriers.h"

#include <algorithm>
#include <set>
#include <string>

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
  explicit BarrierPlacer(std::set<std::string> local) : local_(std::move(local)) {}

  Stmt run(const Stmt& stmt) const {
    if (stmt->kind == StmtKind::For && is_thread_loop(stmt->loop)) return stmt;
    if (stmt->kind == StmtKind::Block) return run_block(*stmt);
    const Stmt s = map_children(stmt, nullptr, [&](const Stmt& body) { return run(body); });
    const bool repeats = s->kind == StmtKind::For && !is_block_loop(s->loop);
    if (!repeats) return s;
    const Accesses all = accesses(s);
    if (!meet(all.writes, all.reads) && !meet(all.writes, all.writes)) return s;
    return make_for(s->name, s->exprs[0], s->exprs[1], s->loop,
                    make_block({s->body[0], make_barrier(Memory::Local)}));
  }

 private:
  Stmt run_block(const StmtNode& block) const {
    std::vector<Stmt> statements;
    Accesses since;  // the last barrier
    for (const Stmt& child : block.body) {
      const Accesses now = accesses(child);
      if (meet(now.reads, since.writes) || meet(now.writes, since.writes) || meet(now.writes, since.reads)) {
        statements.push_back(make_barrier(Memory::Local));
        since = {};
      }
      since.reads.insert(now.reads.begin(), now.reads.end());
      since.writes.insert(now.writes.begin(), now.writes.end());
      statements.push_back(run(child));
    }
    return make_block(std::move(statements));
  }

  Accesses accesses(const Stmt& stmt) const {
    Accesses result;
    visit(
        stmt,
        [&](const Stmt& s) {
          if (s->kind == StmtKind::Store && local_.contains(s->name)) result.writes.insert(s->name);
          return true;
        },
        [&](const Expr& expr) {
          visit(expr, [&](const Expr& e) {
            if (e->kind == ExprKind::Load && local_.contains(e->name)) result.reads.insert(e->name);
            return true;
          });
        });
    return result;
  }

  std::set<std::string> local_;
};

}  // namespace

Stmt place_barriers(const Stmt& stmt) {
  std::set<std::string> local;
  visit(stmt, [&](const Stmt& s) {
    if (s->kind == StmtKind::Allocate && s->memory == Memory::Local) local.insert(s->name);
    return true;
  });
  return local.empty() ? stmt : BarrierPlacer(std::move(local)).run(stmt);
}

}  // namespace tensordsl::lower

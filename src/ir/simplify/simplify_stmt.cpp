#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {
namespace {

class StmtSimplifier {
 public:
  explicit StmtSimplifier(const Bounds& bounds) : simplifier_(bounds) {}

  Stmt rewrite(const Stmt& stmt) {
    switch (stmt->kind) {
      case StmtKind::For:
        return rewrite_for(stmt);
      case StmtKind::If:
        return rewrite_if(stmt);
      case StmtKind::Let:
        return rewrite_let(stmt);
      case StmtKind::Allocate:
        return rewrite_allocate(stmt);
      case StmtKind::Block:
        return merge_neighbors(map_children(stmt, nullptr, [this](const Stmt& s) { return rewrite(s); }));
      default:
        return rewrite_children(stmt);
    }
  }

 private:
  Stmt rewrite_children(const Stmt& stmt) {
    return map_children(
        stmt, [this](const Expr& e) { return simplifier_.simplify(e); },
        [this](const Stmt& s) { return rewrite(s); });
  }

  /// alloc f[0] { a }   ->   a without stores to f, and with zeros for its reads of f.  None of them runs.
  Stmt rewrite_allocate(const Stmt& stmt) {
    const bool is_empty = std::ranges::any_of(stmt->extents(), [this](const Expr& extent) {
      return simplifier_.bounds(simplifier_.simplify(extent)).high <= 0;
    });
    if (!is_empty) return rewrite_children(stmt);
    const Stmt body = without_accesses(stmt->body[0], stmt->name);
    return body.defined() ? rewrite(body) : body;
  }

  static Stmt without_accesses(const Stmt& stmt, const std::string& tensor) {
    if (stmt->kind == StmtKind::Store && stmt->name == tensor) return Stmt();
    const auto zero_for_load = [&](const Expr& e) {
      return e->kind == ExprKind::Load && e->name == tensor ? make_zero(e.type()) : e;
    };
    return map_children(
        stmt, [&](const Expr& e) { return ir::rewrite(e, zero_for_load); },
        [&](const Stmt& s) { return without_accesses(s, tensor); });
  }

  /// if (c) a  if (c) b   ->   if (c) { a b }, as nothing but memory changes between statements.
  /// barrier local  barrier local   ->   barrier local
  static Stmt merge_neighbors(const Stmt& block) {
    if (!block.defined() || block->kind != StmtKind::Block) return block;
    std::vector<Stmt> merged;
    for (const Stmt& s : block->body) {
      const bool continues = !merged.empty() && is_lone_test(merged.back()) && is_lone_test(s) &&
                             same(merged.back()->condition(), s->condition()) &&
                             !reads_memory(s->condition());
      const bool is_repeated = s->kind == StmtKind::Barrier && !merged.empty() &&
                               merged.back()->kind == StmtKind::Barrier && merged.back()->memory == s->memory;
      if (continues) {
        merged.back() =
            make_if(s->condition(), merge_neighbors(make_block({merged.back()->body[0], s->body[0]})));
      } else if (!is_repeated) {
        merged.push_back(s);
      }
    }
    return merged.size() == block->body.size() ? block : make_block(std::move(merged));
  }

  static bool is_lone_test(const Stmt& s) { return s->kind == StmtKind::If && s->body.size() == 1; }

  Stmt rewrite_for(const Stmt& stmt) {
    const Expr min = simplifier_.simplify(stmt->min());
    const Expr extent = simplifier_.simplify(stmt->extent());
    const Interval extents = simplifier_.bounds(extent);
    if (extents.high <= 0) return Stmt();
    const bool is_gpu_loop = is_block_loop(stmt->loop) || is_thread_loop(stmt->loop);
    const Simplifier::Scope scope(simplifier_);
    if (extents == Interval::point(1) && !is_gpu_loop && !uses_var(min, stmt->name)) {
      if (reads_memory(min)) return rewrite(make_let(stmt->name, min, stmt->body[0]));
      simplifier_.replace(stmt->name, min);
      return rewrite(stmt->body[0]);
    }
    simplifier_.enter_loop(stmt->name, min, extent);
    const Stmt body = rewrite(stmt->body[0]);
    if (!body.defined()) return Stmt();
    const bool unchanged = min.get() == stmt->min().get() && extent.get() == stmt->extent().get() &&
                           body.get() == stmt->body[0].get();
    return unchanged ? stmt : make_for(stmt->name, min, extent, stmt->loop, body);
  }

  Stmt rewrite_if(const Stmt& stmt) {
    const Expr condition = simplifier_.simplify(stmt->condition());
    const bool has_else = stmt->body.size() > 1;
    if (const std::int64_t* value = as_int(condition)) {
      if (*value != 0) return rewrite(stmt->body[0]);
      return has_else ? rewrite(stmt->body[1]) : Stmt();
    }
    const Stmt then = rewrite_branch(stmt->body[0], condition, true);
    const Stmt otherwise = has_else ? rewrite_branch(stmt->body[1], condition, false) : Stmt();
    if (!then.defined() && !otherwise.defined()) return Stmt();
    if (!then.defined()) {
      return make_if(simplifier_.simplify(make_unary(ExprKind::Not, condition)), otherwise);
    }
    const bool unchanged = condition.get() == stmt->condition().get() && then.get() == stmt->body[0].get() &&
                           (!has_else || otherwise.get() == stmt->body[1].get());
    return unchanged ? stmt : make_if(condition, then, otherwise);
  }

  Stmt rewrite_branch(const Stmt& stmt, const Expr& condition, bool truth) {
    const Simplifier::Scope scope(simplifier_);
    simplifier_.assume_stable(condition, truth);
    return rewrite(stmt);
  }

  Stmt rewrite_let(const Stmt& stmt) {
    const Expr value = simplifier_.simplify(stmt->value());
    const Simplifier::Scope scope(simplifier_);
    if (is_const(value) || (value->kind == ExprKind::Var && value->name != stmt->name)) {
      simplifier_.replace(stmt->name, value);
      return rewrite(stmt->body[0]);
    }
    simplifier_.define(stmt->name, value);
    const Stmt body = rewrite(stmt->body[0]);
    if (!body.defined()) return Stmt();
    const bool unchanged = value.get() == stmt->value().get() && body.get() == stmt->body[0].get();
    return unchanged ? stmt : make_let(stmt->name, value, body);
  }

  Simplifier simplifier_;
};

/// Walks bodies before values, so that a Let whose name is used only by a dropped Let is dropped as well.
class UnusedLets {
 public:
  Stmt drop(const Stmt& stmt) {
    if (stmt->kind != StmtKind::Let) {
      for (const Expr& e : stmt->exprs) count(e);
      return map_children(
          stmt, [](const Expr& e) { return e; }, [this](const Stmt& s) { return drop(s); });
    }
    const int uses_outside = std::exchange(uses_[stmt->name], 0);
    const Stmt body = drop(stmt->body[0]);
    const bool used = std::exchange(uses_[stmt->name], uses_outside) > 0;
    if (!used) return body;
    count(stmt->value());
    return body.get() == stmt->body[0].get() ? stmt : make_let(stmt->name, stmt->value(), body);
  }

 private:
  void count(const Expr& expr) {
    std::unordered_set<const ExprNode*> seen;
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) ++uses_[e->name];
      return e->operands.empty() || seen.insert(e.get()).second;
    });
  }

  std::unordered_map<std::string, int> uses_;
};

bool has_let(const Stmt& stmt) {
  return stmt->kind == StmtKind::Let || std::ranges::any_of(stmt->body, has_let);
}

}  // namespace

Stmt simplify(const Stmt& stmt, const Bounds& bounds) {
  if (!stmt.defined()) return stmt;
  const Stmt result = StmtSimplifier(bounds).rewrite(stmt);
  return result.defined() && has_let(result) ? UnusedLets().drop(result) : result;
}

}  // namespace tensordsl::ir

#include "lower/passes/vectors/vectorize_loops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "ir/nodes/lazy_operands.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/passes/vectors/lanes.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A scalar condition that implies every lane of `condition`; undefined if none is easy to find.
Expr holds_in_all_lanes(const Expr& condition) {
  const int last = condition.type().lanes - 1;
  if (condition->kind == ExprKind::And) {
    const Expr a = holds_in_all_lanes((*condition)[0]);
    const Expr b = holds_in_all_lanes((*condition)[1]);
    return a.defined() && b.defined() ? a && b : Expr();
  }
  if (condition->kind == ExprKind::Broadcast) return (*condition)[0];
  if (condition->kind != ExprKind::Lt && condition->kind != ExprKind::Le) return Expr();
  // Both sides linear in the lane: the extreme lanes decide.
  const auto linear = [](const Expr& e) {
    return e->kind == ExprKind::Ramp || e->kind == ExprKind::Broadcast;
  };
  if (!linear((*condition)[0]) || !linear((*condition)[1])) return Expr();
  return lane_of(condition, 0) && lane_of(condition, last);
}

using Exprs = std::unordered_set<Expr, ExprHash, ExprSame>;

/// Adds the expressions that are evaluated wherever `expr` is.
void add_certain(const Expr& expr, Exprs& certain) {
  if (expr->operands.empty() || !certain.insert(expr).second) return;
  for (std::size_t i = 0; i < expr->operands.size(); ++i) {
    const bool may_be_left_out = i > 0 && (expr->kind == ExprKind::Select || is_lazy_operand(expr, i));
    if (!may_be_left_out) add_certain((*expr)[i], certain);
  }
}

/// Makes selects of && and ||: as scalars they are lazy, as vectors they are not, and a read on the right may
/// rely on the left. A select is lazy in each lane.
Expr with_lazy_lanes(const Expr& expr) {
  return rewrite(expr, [](const Expr& e) {
    const bool is_junction = e->kind == ExprKind::And || e->kind == ExprKind::Or;
    if (!is_junction || !e.type().is_vector() || !reads_memory((*e)[1])) return e;
    Exprs certain;
    add_certain((*e)[0], certain);
    bool may_stay = true;
    visit((*e)[1], [&](const Expr& part) {
      may_stay = may_stay && (part->kind != ExprKind::Load || certain.contains(part));
      return may_stay;
    });
    if (may_stay) return e;
    return e->kind == ExprKind::And ? make_select((*e)[0], (*e)[1], make_bool(false))
                                    : make_select((*e)[0], make_bool(true), (*e)[1]);
  });
}

class Vectorizer {
 public:
  Vectorizer(const StmtNode& loop, const std::vector<int>& widths) : loop_(loop) {
    const std::int64_t* extent = as_int(loop.extent());
    const std::int64_t lanes = extent ? *extent : 0;
    if (lanes != 1 && std::ranges::count(widths, lanes) == 0) {
      // The guarded tail of a consumer leaves its producers the smaller of a tile and what remains.
      const bool is_of_last_tile = loop.extent()->kind == ExprKind::Min;
      throw ScheduleError(fmt::format(
          "vectorize: loop \"{}\" has the extent {}; the device's vectors have {} or {} lanes; split the "
          "loop by one of these and vectorize the inner loop{}",
          loop.name, tensordsl::to_string(loop.extent()),
          fmt::join(widths.begin(), std::prev(widths.end()), ", "), widths.back(),
          is_of_last_tile
              ? ", or use Tail::ShiftInwards in the consumer's split, which keeps the extent constant"
              : ""));
    }
    lanes_ = static_cast<int>(lanes);
  }

  Stmt run() {
    if (lanes_ == 1) return substitute(loop_.body[0], loop_.name, loop_.min());
    return rewrite(loop_.body[0], {{loop_.name, make_ramp(loop_.min(), Expr(1), lanes_)}});
  }

 private:
  static Expr vectorized(const Expr& expr, const Substitution& vectors) {
    return simplify(with_lazy_lanes(substitute(expr, vectors)));
  }

  Stmt rewrite(const Stmt& stmt, const Substitution& vectors) {
    switch (stmt->kind) {
      case StmtKind::Let: {
        // A vector value is substituted for its name, so that address patterns stay visible.
        const Expr value = vectorized(stmt->value(), vectors);
        if (value.type().lanes == 1) return make_let(stmt->name, value, rewrite(stmt->body[0], vectors));
        Substitution inner = vectors;
        // Memory may change between the definition of a name and its uses.
        const bool stays = reads_memory(value);
        inner[stmt->name] = stays ? make_var(stmt->name, value.type()) : value;
        const Stmt body = rewrite(stmt->body[0], inner);
        return stays ? make_let(stmt->name, value, body) : body;
      }
      case StmtKind::If:
        return rewrite_if(stmt, vectors);
      case StmtKind::For: {
        const Expr first = vectorized(stmt->min(), vectors);
        const Expr extent = vectorized(stmt->extent(), vectors);
        if (first.type().lanes > 1 || extent.type().lanes > 1) return lane_by_lane(stmt, vectors);
        return make_for(stmt->name, first, extent, stmt->loop, rewrite(stmt->body[0], vectors));
      }
      case StmtKind::Allocate:
        throw ScheduleError(
            fmt::format("{}: it is computed inside the vectorized loop \"{}\", where every lane would need "
                        "its own storage; compute it outside that loop",
                        stmt->name, loop_.name));
      case StmtKind::Store: {
        std::vector<Expr> indices;
        for (const Expr& index : stmt->indices()) indices.push_back(vectorized(index, vectors));
        const Expr value = vectorized(stmt->value(), vectors);
        // All lanes write one element: the last lane wins, as in the loop.
        const auto is_scalar = [](const Expr& index) { return index.type().lanes == 1; };
        if (value.type().is_vector() && std::ranges::all_of(indices, is_scalar))
          indices[0] = make_broadcast(indices[0], value.type().lanes);
        return make_store(stmt->name, value, indices);
      }
      case StmtKind::Block:
      case StmtKind::Barrier:
        break;
    }
    return map_children(stmt, nullptr, [&](const Stmt& s) { return rewrite(s, vectors); });
  }

  Stmt rewrite_if(const Stmt& stmt, const Substitution& vectors) {
    const Expr condition = vectorized(stmt->condition(), vectors);
    if (condition->kind == ExprKind::Broadcast || condition.type().lanes == 1) {
      const Expr scalar = condition->kind == ExprKind::Broadcast ? (*condition)[0] : condition;
      const Stmt then = rewrite(stmt->body[0], vectors);
      return make_if(scalar, then, stmt->body.size() > 1 ? rewrite(stmt->body[1], vectors) : Stmt());
    }
    const Expr all = holds_in_all_lanes(condition);
    const Stmt apart = lane_by_lane(stmt, vectors);
    if (!all.defined()) return apart;
    return make_if(simplify(all), rewrite(stmt->body[0], vectors), apart);
  }

  Stmt lane_by_lane(const Stmt& stmt, const Substitution& vectors) const {
    std::vector<Stmt> lanes;
    for (int lane = 0; lane < lanes_; ++lane) {
      Substitution scalars;
      for (const auto& [name, value] : vectors) scalars[name] = simplify(lane_of(value, lane));
      lanes.push_back(substitute(stmt, scalars));
    }
    return make_block(std::move(lanes));
  }

  const StmtNode& loop_;
  int lanes_ = 1;
};

}  // namespace

Stmt vectorize_loops(const Stmt& stmt, const std::vector<int>& widths) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& part) { return vectorize_loops(part, widths); });
  if (s->kind != StmtKind::For || s->loop != LoopKind::Vectorized) return s;
  return Vectorizer(*s, widths).run();
}

}  // namespace tensordsl::lower

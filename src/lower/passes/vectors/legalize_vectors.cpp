#include "lower/passes/vectors/legalize_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/nodes/lazy_operands.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/registers.h"
#include "lower/name_supply.h"
#include "lower/passes/vectors/lanes.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_consecutive(const Expr& index) {
  return index.type().lanes == 1 || (index->kind == ExprKind::Ramp && is_const((*index)[1], 1));
}

Expr by_lane(const Expr& expr) {
  std::vector<Expr> lanes;
  for (int i = 0; i < expr.type().lanes; ++i) lanes.push_back(simplify(lane_of(expr, i)));
  return make_concat(std::move(lanes));
}

using Loads = std::unordered_set<Expr, ExprHash, ExprSame>;

/// Adds the loads that are made wherever `expr` is evaluated, in all of its lanes.
void collect_always_loaded(const Expr& expr, Loads& loads, std::unordered_set<const ExprNode*>& seen) {
  if (expr->operands.empty() || !seen.insert(expr.get()).second) return;
  if (expr->kind == ExprKind::Load) loads.insert(expr);
  for (std::size_t i = 0; i < expr->operands.size(); ++i) {
    const bool is_side = i > 0 && expr->kind == ExprKind::Select;
    if (!is_side && !is_lazy_operand(expr, i)) collect_always_loaded((*expr)[i], loads, seen);
  }
}

Loads always_loaded(const Stmt& stmt) {
  Loads loads;
  std::unordered_set<const ExprNode*> seen;
  for (const Expr& e : stmt->exprs) collect_always_loaded(e, loads, seen);
  return loads;
}

/// True if the condition depends only on memory, not on the position: then reads on one side of it are inside
/// their tensor everywhere. A ramp, or a concatenation made of one, depends on the position.
bool tests_data_alone(const Expr& condition) {
  if (condition->kind == ExprKind::And || condition->kind == ExprKind::Or ||
      condition->kind == ExprKind::Not) {
    return std::ranges::all_of(condition->operands, tests_data_alone);
  }
  bool is_data = false, is_place = false;
  visit(condition, [&](const Expr& e) {
    is_data = is_data || e->kind == ExprKind::Load;
    is_place =
        is_place || e->kind == ExprKind::Var || e->kind == ExprKind::Ramp || e->kind == ExprKind::Concat;
    return e->kind != ExprKind::Load;
  });
  return is_data && !is_place;
}

class Legalizer {
 public:
  /// Legalizes the expressions of `stmt`.
  Legalizer(const Stmt& stmt, const Images& images, const std::set<std::string>& registers)
      : stmt_(stmt), images_(images), registers_(registers) {}

  Expr run(const Expr& expr) {
    if (expr->operands.empty()) return expr;
    if (const auto known = done_.find(expr.get()); known != done_.end()) return known->second;
    Expr result = rewrite(expr);
    done_.emplace(expr.get(), result);
    return result;
  }

 private:
  /// True if `side` reads something that may not be read where the lane of `condition` selects the other
  /// side.
  bool is_guarded(const Expr& side, const Expr& condition) {
    if (!always_) always_ = always_loaded(stmt_);
    const bool is_anywhere = tests_data_alone(condition);
    bool found = false;
    visit(side, [&](const Expr& e) {
      if (e->kind == ExprKind::Load) {
        const bool is_harmless = is_read_anywhere(*e, images_) || registers_.contains(e->name) ||
                                 always_->contains(e) || (is_anywhere && !reads_memory((*e)[0]));
        found = found || !is_harmless;
      }
      return !found;
    });
    return found;
  }

  Expr rewrite(const Expr& expr) {
    const bool is_guard = expr->kind == ExprKind::Select && (*expr)[0].type().lanes > 1;
    if (is_guard && (is_guarded((*expr)[1], (*expr)[0]) || is_guarded((*expr)[2], (*expr)[0])))
      return run(by_lane(expr));
    if (expr->kind == ExprKind::Load && !is_consecutive((*expr)[0])) {
      if ((*expr)[0]->kind == ExprKind::Broadcast) {
        return make_broadcast(run(make_load(expr.type().element(), expr->name, {(*(*expr)[0])[0]})),
                              expr.type().lanes);
      }
      return run(by_lane(expr));
    }
    return map_operands(expr, [&](const Expr& e) { return run(e); });
  }

  const Stmt stmt_;
  const Images& images_;
  const std::set<std::string>& registers_;
  std::optional<Loads> always_;  // whatever selects choose; found when it is asked for
  std::unordered_map<const ExprNode*, Expr> done_;
};

Stmt legalize_store(const StmtNode& store, Legalizer& legalizer, NameSupply& names) {
  const Expr value = legalizer.run(store.value());
  std::vector<Expr> indices;
  for (const Expr& index : store.indices()) indices.push_back(legalizer.run(index));
  if (indices.size() > 1) return make_store(store.name, value, std::move(indices));
  const Expr& index = indices[0];
  if (is_consecutive(index)) return make_store(store.name, value, {index});
  const std::string& name = names.named(store.name + ".value");
  const Expr whole = make_var(name, value.type());
  std::vector<Stmt> stores;
  for (int i = 0; i < index.type().lanes; ++i) {
    stores.push_back(make_store(store.name, make_slice(whole, i, 1), {simplify(lane_of(index, i))}));
  }
  return make_let(name, value, make_block(std::move(stores)));
}

struct Kernel {
  const Images& images;
  std::set<std::string> registers;
  NameSupply names;
};

Stmt legalize(const Stmt& stmt, Kernel& kernel) {
  Legalizer legalizer(stmt, kernel.images, kernel.registers);
  if (stmt->kind == StmtKind::Store) return legalize_store(*stmt, legalizer, kernel.names);
  return map_children(
      stmt, [&](const Expr& e) { return legalizer.run(e); },
      [&](const Stmt& s) { return legalize(s, kernel); });
}

}  // namespace

Stmt legalize_vectors(const Stmt& stmt, const Images& images) {
  Kernel kernel{images, register_names(stmt), NameSupply(stmt)};
  return legalize(stmt, kernel);
}

}  // namespace tensordsl::lower

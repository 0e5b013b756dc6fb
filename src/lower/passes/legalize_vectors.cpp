#include "lower/passes/legalize_vectors.h"

#include <fmt/format.h>

#include <unordered_map>

#include "ir/simplify.h"
#include "lower/lanes.h"
#include "lower/name_supply.h"

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

class Legalizer {
 public:
  explicit Legalizer(const Images& images) : images_(images) {}

  Expr run(const Expr& expr) {
    if (expr->operands.empty()) return expr;
    if (const auto known = done_.find(expr.get()); known != done_.end()) return known->second;
    Expr result = rewrite(expr);
    done_.emplace(expr.get(), result);
    return result;
  }

 private:
  /// Whether something is read that may not be read wherever one likes.
  bool is_guarded(const Expr& expr) const {
    bool found = false;
    visit(expr, [&](const Expr& e) {
      found = found || (e->kind == ExprKind::Load && !is_read_anywhere(*e, images_));
      return !found;
    });
    return found;
  }

  Expr rewrite(const Expr& expr) {
    const bool is_guard = expr->kind == ExprKind::Select && (*expr)[0].type().lanes > 1;
    if (is_guard && (is_guarded((*expr)[1]) || is_guarded((*expr)[2]))) return run(by_lane(expr));
    if (expr->kind == ExprKind::Load && !is_consecutive((*expr)[0])) {
      if ((*expr)[0]->kind == ExprKind::Broadcast) {
        return make_broadcast(run(make_load(expr.type().element(), expr->name, {(*(*expr)[0])[0]})),
                              expr.type().lanes);
      }
      return run(by_lane(expr));
    }
    return map_operands(expr, [&](const Expr& e) { return run(e); });
  }

  const Images& images_;
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

Stmt legalize(const Stmt& stmt, const Images& images, NameSupply& names) {
  Legalizer legalizer(images);
  if (stmt->kind == StmtKind::Store) return legalize_store(*stmt, legalizer, names);
  return map_children(
      stmt, [&](const Expr& e) { return legalizer.run(e); },
      [&](const Stmt& s) { return legalize(s, images, names); });
}

}  // namespace

Stmt legalize_vectors(const Stmt& stmt, const Images& images) {
  NameSupply names(stmt);
  return legalize(stmt, images, names);
}

}  // namespace tensordsl::lower

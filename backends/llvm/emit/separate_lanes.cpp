#include "backends/llvm/emit/separate_lanes.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "lower/name_supply.h"

namespace tensordsl::llvm_ir {

using namespace ir;

namespace {

bool is_lane(const Expr& e) {
  return e->kind == ExprKind::Slice && e.type().lanes == 1 && (*e)[0]->kind == ExprKind::Var;
}

bool reads_row(const Expr& e) {
  return e->kind == ExprKind::Load && e.type().lanes > 1 && e->operands.size() == 1 &&
         (*e)[0]->kind == ExprKind::Ramp && is_const((*(*e)[0])[1], 1);
}

class Separation {
 public:
  explicit Separation(const Stmt& stmt) : names_(stmt) { look_at(stmt); }

  Stmt run(const Stmt& stmt) {
    const auto on_body = [&](const Stmt& body) {
      const StmtNode* before = bind(*stmt);
      const Stmt result = run(body);
      unbind(*stmt, before);
      return result;
    };
    const Stmt mapped = map_children(
        stmt, [&](const Expr& e) { return with_lanes(e); }, on_body);
    const auto found = separated_.find(stmt.get());
    return found == separated_.end() ? mapped : with_lanes_named(*mapped, found->second);
  }

 private:
  /// The variables of lanes, by their numbers.
  using Lanes = std::map<int, Expr>;

  /// Binds the name of a Let or a For. Returns the earlier binding of the name.
  const StmtNode* bind(const StmtNode& stmt) {
    const bool binds = stmt.kind == StmtKind::Let || stmt.kind == StmtKind::For;
    return binds ? std::exchange(bindings_[stmt.name], &stmt) : nullptr;
  }
  void unbind(const StmtNode& stmt, const StmtNode* before) {
    if (stmt.kind == StmtKind::Let || stmt.kind == StmtKind::For) bindings_[stmt.name] = before;
  }

  Lanes* lanes_of(const std::string& name) {
    const auto binding = bindings_.find(name);
    const auto found = binding == bindings_.end() ? separated_.end() : separated_.find(binding->second);
    return found == separated_.end() ? nullptr : &found->second;
  }

  void look_at(const Stmt& stmt) {
    for (const Expr& e : stmt->exprs) look_at(e);
    if (stmt->kind == StmtKind::Let && reads_row(stmt->value())) separated_[stmt.get()];
    const StmtNode* before = bind(*stmt);
    for (const Stmt& s : stmt->body) look_at(s);
    unbind(*stmt, before);
  }

  /// Vectors that are used as such stay.
  void look_at(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var && lanes_of(e->name) != nullptr) separated_.erase(bindings_.at(e->name));
      Lanes* lanes = is_lane(e) ? lanes_of((*e)[0]->name) : nullptr;
      if (lanes != nullptr) {
        Expr& variable = (*lanes)[static_cast<int>(e->value)];
        if (!variable.defined()) variable = make_var(names_.numbered("lane"), e.type());
      }
      return !is_lane(e);
    });
  }

  Expr with_lanes(const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      const Lanes* lanes = is_lane(e) ? lanes_of((*e)[0]->name) : nullptr;
      return lanes == nullptr ? e : lanes->at(static_cast<int>(e->value));
    });
  }

  static Stmt with_lanes_named(const StmtNode& let, const Lanes& lanes) {
    const Expr row = let.value(), first = (*(*row)[0])[0];
    Stmt result = let.body[0];
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) {
      const Expr index = lane->first == 0 ? first : first + lane->first;
      result = make_let(lane->second->name, make_load(row.type().element(), row->name, {index}), result);
    }
    return result;
  }

  lower::NameSupply names_;
  std::map<std::string, const StmtNode*> bindings_;  // statements that bind the names in scope
  std::unordered_map<const StmtNode*, Lanes> separated_;
};

}  // namespace

Stmt separate_lanes(const Stmt& stmt) { return Separation(stmt).run(stmt); }

}  // namespace tensordsl::llvm_ir

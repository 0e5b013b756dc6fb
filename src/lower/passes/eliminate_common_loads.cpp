#include "lower/passes/eliminate_common_loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/simplifier.h"
#include "lower/lazy_operands.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// What several statements of a block read from tensors that the kernel only reads.
class LoadSharing {
 public:
  LoadSharing(const Stmt& kernel, const Images& images) : images_(images) {
    visit(kernel, [&](const Stmt& s) {
      if (s->kind == StmtKind::Store || s->kind == StmtKind::Allocate) written_.insert(s->name);
      return true;
    });
  }

  Stmt run(const Stmt& stmt) {
    const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return run(child); });
    return s->kind == StmtKind::Block ? run_block(s->body) : s;
  }

 private:
  struct Shared {
    std::size_t first = 0;  // the statement that reads it first
    int statements = 0;
    Expr variable;
  };
  struct LoadSet {
    std::vector<Expr> order;
    std::unordered_map<Expr, bool, ExprHash, ExprSame>
        seen;  // -> whether it is in `order`, or was walked as always evaluated
  };
  using SharedLoads = std::unordered_map<Expr, Shared, ExprHash, ExprSame>;

  Stmt run_block(const std::vector<Stmt>& statements) {
    SharedLoads loads;
    std::vector<Expr> order;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (statements[i]->kind != StmtKind::Store) continue;
      LoadSet here;
      for (const Expr& e : statements[i]->exprs) collect(e, true, here);
      for (const Expr& load : here.order) {
        Shared& shared = loads[load];
        if (shared.statements++ > 0) continue;
        shared.first = i;
        order.push_back(load);
      }
    }
    std::vector<Expr> named;
    for (const Expr& load : order) {
      Shared& shared = loads[load];
      if (shared.statements < 2) continue;
      shared.variable = make_var(fmt::format("t.{}", names_++), load.type());
      named.push_back(load);
    }
    if (named.empty()) return make_block(statements);
    std::vector<Stmt> rest;  // from its end
    for (std::size_t i = statements.size(); i-- > 0;) {
      const bool is_store = statements[i]->kind == StmtKind::Store;
      const Stmt s = is_store
                         ? map_children(
                               statements[i], [&](const Expr& e) { return replaced(e, loads, i); }, nullptr)
                         : statements[i];
      rest.push_back(s);
      while (!named.empty() && loads[named.back()].first == i) {
        rest = {make_let(loads[named.back()].variable->name, named.back(),
                         make_block({rest.rbegin(), rest.rend()}))};
        named.pop_back();
      }
    }
    return make_block({rest.rbegin(), rest.rend()});
  }

  /// The loads of `expr` that may be made before its statement, innermost ones only.
  void collect(const Expr& expr, bool always, LoadSet& found) const {
    if (expr->operands.empty()) return;
    const auto [it, is_new] = found.seen.emplace(expr, false);
    if (it->second || (!is_new && !always)) return;
    const bool is_innermost = expr->kind == ExprKind::Load &&
                              std::none_of(expr->operands.begin(), expr->operands.end(), reads_memory);
    if (is_innermost) {
      if (written_.contains(expr->name) || !(always || is_read_anywhere(*expr, images_))) return;
      it->second = true;
      found.order.push_back(expr);
      return;
    }
    it->second = always;
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      collect((*expr)[i], always && !is_lazy_operand(expr, i), found);
    }
  }

  /// Before the statement that must read it first, a load may stand where it is not always made.
  static Expr replaced(const Expr& expr, const SharedLoads& loads, std::size_t statement) {
    return rewrite(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Load ? loads.find(e) : loads.end();
      return it != loads.end() && it->second.variable.defined() && it->second.first <= statement
                 ? it->second.variable
                 : e;
    });
  }

  const Images& images_;
  std::set<std::string> written_;
  int names_ = 0;
};

}  // namespace

Stmt eliminate_common_loads(const Stmt& stmt, const Images& images) {
  return LoadSharing(stmt, images).run(stmt);
}

}  // namespace tensordsl::lower

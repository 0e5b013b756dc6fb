#include "lower/passes/memory/hoist_addresses.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/nodes/linear_form.h"
#include "ir/nodes/sub_groups.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplifier.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

using ExprMap = std::unordered_map<Expr, Expr, ExprHash, ExprSame>;

/// The variables that are declared at the start of a loop's or Let's body, or of the kernel.
struct ScopeLevel {
  std::vector<std::pair<std::string, Expr>> variables;
  ExprMap named;  // a computed value -> its variable
  ExprMap done;   // an expression rewritten at this level -> the result
};

bool is_leaf(const Expr& e) { return e->operands.empty(); }

/// True for scalar integers and Bools that do not depend on memory.
bool is_address(const Expr& e) {
  return e.type().lanes == 1 && (e.type() == Int(32) || e.type().is_bool()) && !reads_memory(e) &&
         !is_sub_group_operation(*e);
}

class AddressSharing {
 public:
  explicit AddressSharing(NameSupply names) : names_(std::move(names)) {}

  Stmt run(const Stmt& kernel) {
    return with_level({}, [&] { return run_body(kernel); });
  }
  /// Returns the names of the variables that it made.
  const std::set<std::string>& made() const { return made_; }

 private:
  /// Opens a level that binds `name`, for the statement that `body` returns.
  template <typename F>
  Stmt with_level(const std::string& name, F body) {
    levels_.emplace_back();
    const auto outer = level_of_.find(name);
    const std::size_t hidden = outer == level_of_.end() ? 0 : outer->second;
    if (!name.empty()) level_of_[name] = levels_.size() - 1;
    Stmt result = body();
    for (auto it = levels_.back().variables.rbegin(); it != levels_.back().variables.rend(); ++it) {
      level_of_.erase(it->first);
      result = make_let(it->first, it->second, result);
    }
    if (!name.empty()) level_of_[name] = hidden;
    levels_.pop_back();
    return result;
  }

  Stmt run_body(const Stmt& s) {
    const auto on_expr = [this](const Expr& e) { return rewrite(e); };
    if (s->kind == StmtKind::For) {
      const Expr min = rewrite(s->min()), extent = rewrite(s->extent());
      return make_for(s->name, min, extent, s->loop,
                      with_level(s->name, [&] { return run_body(s->body[0]); }));
    }
    if (s->kind == StmtKind::Let) {
      const Expr value = rewrite(s->value());
      return make_let(s->name, value, with_level(s->name, [&] { return run_body(s->body[0]); }));
    }
    return map_children(s, on_expr, [this](const Stmt& child) { return run_body(child); });
  }

  std::size_t level_of(const Expr& expr) const {
    std::size_t level = 0;
    visit(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Var ? level_of_.find(e->name) : level_of_.end();
      if (it != level_of_.end()) level = std::max(level, it->second);
      return true;
    });
    return level;
  }

  Expr rewrite(const Expr& expr) {
    if (is_leaf(expr)) return expr;
    ExprMap& done = levels_.back().done;
    if (const auto it = done.find(expr); it != done.end()) return it->second;
    Expr result;
    if (!is_address(expr)) {
      result = map_operands(expr, [this](const Expr& e) { return rewrite(e); });
    } else if (expr.type() == Int(32) && !as_int(expr)) {
      result = share_sum(LinearForm(expr), expr);
    } else {
      result = named(map_operands(expr, [this](const Expr& e) { return rewrite(e); }));
    }
    levels_.back().done.emplace(expr, result);
    return result;
  }

  /// Cuts a sum at the levels of its terms; another expression is a sum of one term.
  Expr share_sum(const LinearForm& sum, const Expr& expr) {
    std::map<std::size_t, LinearForm> parts;
    for (const Term& term : sum.terms()) {
      Expr atom = term.atom;
      if (!is_leaf(atom)) atom = named(map_operands(atom, [this](const Expr& e) { return rewrite(e); }));
      parts[level_of(atom)].add_atom(atom, term.coefficient);
    }
    Expr total;
    for (auto& [level, part] : parts) {
      if (total.defined()) part.add_atom(total, 1);
      const auto value = to_expr(part, Int(32));
      if (!value) return expr;
      total = named(*value);
    }
    if (!total.defined()) return expr;
    LinearForm result(sum.constant);
    result.add_atom(total, 1);
    return to_expr(result, Int(32)).value_or(expr);
  }

  /// Returns the variable that holds `value`, declared at the level of its innermost operand.
  Expr named(const Expr& value) {
    if (is_leaf(value)) return value;
    const std::size_t at = level_of(value);
    ScopeLevel& level = levels_[at];
    if (const auto it = level.named.find(value); it != level.named.end()) return it->second;
    const std::string name = names_.numbered("a");
    made_.insert(name);
    const Expr variable = make_var(name, value.type());
    level.variables.emplace_back(name, value);
    level.named.emplace(value, variable);
    level_of_[name] = at;
    return variable;
  }

  std::vector<ScopeLevel> levels_;
  std::map<std::string, std::size_t>
      level_of_;  // level of a variable; 0 for the kernel's arguments and indices
  NameSupply names_;
  std::set<std::string> made_;
};

/// Substitutes variables that save nothing: those used once, in the loop that computes them.
class Inlining {
 public:
  explicit Inlining(const std::set<std::string>& made) : made_(made) {}

  Stmt run(const Stmt& stmt) {
    count(stmt, 0);
    return run_body(stmt);
  }

 private:
  struct Use {
    int loops = 0;  // around the declaration
    int uses = 0;
    bool in_inner_loop = false;
  };

  void count(const Stmt& s, int loops) {
    for (const Expr& expr : s->exprs) {
      visit(expr, [&](const Expr& e) {
        const auto it = e->kind == ExprKind::Var ? uses_.find(e->name) : uses_.end();
        if (it != uses_.end()) {
          ++it->second.uses;
          it->second.in_inner_loop |= it->second.loops < loops;
        }
        return true;
      });
    }
    if (s->kind == StmtKind::Let && made_.contains(s->name)) uses_[s->name] = {loops, 0, false};
    for (const Stmt& child : s->body) count(child, loops + (s->kind == StmtKind::For));
  }

  Stmt run_body(const Stmt& s) {
    if (s->kind == StmtKind::Let && made_.contains(s->name)) {
      const Expr value = substituted(s->value());
      const Use& use = uses_.at(s->name);
      if (use.uses < 2 && !use.in_inner_loop) {
        values_[s->name] = value;
        return run_body(s->body[0]);
      }
      return make_let(s->name, value, run_body(s->body[0]));
    }
    return map_children(
        s, [this](const Expr& e) { return substituted(e); },
        [this](const Stmt& child) { return run_body(child); });
  }

  Expr substituted(const Expr& e) const { return values_.empty() ? e : substitute(e, values_); }

  const std::set<std::string>& made_;
  std::map<std::string, Use> uses_;
  Substitution values_;
};

/// Numbers the variables that are left in the order of the text.
class Renaming {
 public:
  Renaming(const std::set<std::string>& made, NameSupply names) : made_(made), names_(std::move(names)) {}

  Stmt run(const Stmt& s) {
    const auto on_expr = [this](const Expr& e) { return substitute(e, variables_); };
    if (s->kind == StmtKind::Let && made_.contains(s->name)) {
      const Expr value = on_expr(s->value());
      const std::string name = names_.numbered("a");
      variables_[s->name] = make_var(name, value.type());
      return make_let(name, value, run(s->body[0]));
    }
    return map_children(s, on_expr, [this](const Stmt& child) { return run(child); });
  }

 private:
  const std::set<std::string>& made_;
  NameSupply names_;
  Substitution variables_;
};

}  // namespace

Stmt hoist_addresses(const Stmt& stmt) {
  const NameSupply names(stmt);
  AddressSharing sharing(names);
  const Stmt shared = sharing.run(stmt);
  return Renaming(sharing.made(), names).run(Inlining(sharing.made()).run(shared));
}

}  // namespace tensordsl::lower

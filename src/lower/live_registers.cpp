#include "lower/live_registers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "lower/registers.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Of a value. What is true or false is a predicate, of which devices have others.
int registers_of(Type type, bool half_arithmetic) {
  if (type.is_bool()) return 0;
  const int bits = type.is_float() && !half_arithmetic ? std::max<int>(type.bits, 32) : type.bits;
  return std::max(1, bits * type.lanes / 32);
}

/// Names that are read later, with what each takes.
using Live = std::map<std::string, int>;

/// Walks from the end to the begin: a name is live from its first value to its last use.
class Liveness {
 public:
  explicit Liveness(const LoweredKernel& kernel)
      : variables_(register_names(kernel.body)), half_arithmetic_(kernel.half_arithmetic) {
    for (const ScalarArgument& scalar : kernel.scalars) uniform_.insert(scalar.name);
    for (const char* name : kBlockNames) uniform_.insert(name);
  }

  int most() const { return most_; }

  /// What is live before `stmt`, of what is live behind it.
  Live before(const Stmt& stmt, Live behind) {
    switch (stmt->kind) {
      case StmtKind::Block:
        for (auto inner = stmt->body.rbegin(); inner != stmt->body.rend(); ++inner)
          behind = before(*inner, std::move(behind));
        return behind;
      case StmtKind::For: {
        // What one iteration reads of before it, the next one reads too.
        Live around = used_of_outside(stmt->body[0]);
        around.insert(behind.begin(), behind.end());
        around[stmt->name] = 1;
        Live first = before(stmt->body[0], around);
        first.insert(around.begin(), around.end());
        first.erase(stmt->name);
        return evaluate(stmt->exprs, std::move(first));
      }
      case StmtKind::If: {
        Live either = before(stmt->body[0], behind);
        if (stmt->body.size() > 1) {
          const Live other = before(stmt->body[1], behind);
          either.insert(other.begin(), other.end());
        } else {
          either.insert(behind.begin(), behind.end());
        }
        return evaluate(stmt->exprs, std::move(either));
      }
      case StmtKind::Let: {
        Live live = before(stmt->body[0], std::move(behind));
        live.erase(stmt->name);
        return evaluate(stmt->exprs, std::move(live));
      }
      case StmtKind::Store:
        if (variables_.contains(stmt->name)) behind.erase(stmt->name);
        return evaluate(stmt->exprs, std::move(behind));
      case StmtKind::Allocate: {
        Live live = before(stmt->body[0], std::move(behind));
        live.erase(stmt->name);
        return live;
      }
      case StmtKind::Barrier:
        return behind;
    }
    return behind;
  }

 private:
  /// A value is computed while those that are needed behind it are held.
  Live evaluate(const std::vector<Expr>& exprs, Live live) {
    for (const Expr& expr : exprs) add_uses(expr, live);
    int held = 0, on_the_way = 0;
    for (const auto& [name, registers] : live) held += registers;
    for (const Expr& expr : exprs) on_the_way = std::max(on_the_way, needed(expr));
    most_ = std::max(most_, held + on_the_way);
    return live;
  }

  Live used_of_outside(const Stmt& body) const {
    Live used;
    std::set<std::string> bound;
    visit(
        body,
        [&](const Stmt& stmt) {
          const bool binds =
              stmt->kind == StmtKind::Let || stmt->kind == StmtKind::For || stmt->kind == StmtKind::Allocate;
          if (binds) bound.insert(stmt->name);
          return true;
        },
        [&](const Expr& expr) { add_uses(expr, used); });
    for (const std::string& name : bound) used.erase(name);
    return used;
  }

  void add_uses(const Expr& expr, Live& live) const {
    visit(expr, [&](const Expr& e) {
      const bool is_variable = e->kind == ExprKind::Load && variables_.contains(e->name);
      const bool is_name = e->kind == ExprKind::Var && !uniform_.contains(e->name);
      if (is_variable || is_name) live.emplace(e->name, registers_of(e.type(), half_arithmetic_));
      return !is_variable;
    });
  }

  /// By Sethi and Ullman: the operand that needs most is computed first. A variable is where it is, and a
  /// number is part of an instruction.
  int needed(const Expr& expr) const {
    if (expr->kind == ExprKind::Var || is_const(expr)) return 0;
    const int own = registers_of(expr.type(), half_arithmetic_);
    if (expr->kind == ExprKind::Load) return variables_.contains(expr->name) ? 0 : own;
    std::vector<std::pair<int, int>> parts;  // what an operand needs on the way, and what it is then
    for (const Expr& operand : expr->operands) {
      const int most = needed(operand);
      parts.emplace_back(most, most == 0 ? 0 : registers_of(operand.type(), half_arithmetic_));
    }
    std::ranges::sort(parts,
                      [](const auto& a, const auto& b) { return a.first - a.second > b.first - b.second; });
    int held = 0, most = 0;
    for (const auto& [on_the_way, then] : parts) {
      most = std::max(most, held + on_the_way);
      held += then;
    }
    // What is spread over lanes is not held once for each of them.
    return expr->kind == ExprKind::Broadcast ? most : std::max(most, held > 0 ? own : 0);
  }

  std::set<std::string> variables_, uniform_;
  bool half_arithmetic_;
  int most_ = 0;
};

}  // namespace

int live_registers(const LoweredKernel& kernel) {
  if (!kernel.body.defined()) return 0;
  Liveness liveness(kernel);
  liveness.before(kernel.body, {});
  return liveness.most();
}

}  // namespace tensordsl::lower

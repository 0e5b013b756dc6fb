#include "lower/passes/memory/block_reads.h"

#include <algorithm>

#include "ir/nodes/lazy_operands.h"

namespace tensordsl::lower {

using namespace ir;

KernelMemory::KernelMemory(const Stmt& kernel, const Images& images) : images_(images) {
  visit(kernel, [&](const Stmt& s) {
    const bool is_own = s->kind == StmtKind::Allocate && s->memory != Memory::Local;
    if (is_own) own_.insert(s->name);
    if (s->kind == StmtKind::Store) written_.insert(s->name);
    return true;
  });
}

std::set<std::string> KernelMemory::changed_by(const Stmt& stmt) const {
  std::set<std::string> changed;
  visit(stmt, [&](const Stmt& s) {
    if (s->kind == StmtKind::Store) changed.insert(s->name);
    if (s->kind == StmtKind::Barrier) changed = written_;
    return changed.size() < written_.size();
  });
  return changed;
}

std::vector<BlockRead> BlockReads::always_read(const Stmt& store) {
  std::vector<BlockRead> reads;
  std::unordered_set<const ExprNode*> seen;
  for (const Expr& e : store->exprs) collect(e, reads, seen);
  return reads;
}

void BlockReads::collect(const Expr& expr, std::vector<BlockRead>& reads,
                         std::unordered_set<const ExprNode*>& seen) {
  if (expr->operands.empty() || !seen.insert(expr.get()).second) return;
  const bool has_lazy_load = facts_of(expr).has_lazy_load;
  for (std::size_t i = 0; i < expr->operands.size(); ++i) {
    if (!has_lazy_load || !is_lazy_operand(expr, i)) collect((*expr)[i], reads, seen);
  }
  if (is_read(expr)) reads.push_back({expr, facts_of(expr).version});
}

Expr BlockReads::replaced(const Expr& expr, const std::function<Expr(const BlockRead&)>& found) {
  std::unordered_map<const ExprNode*, Expr> done;
  const std::function<Expr(const Expr&)> run = [&](const Expr& e) {
    if (e->operands.empty()) return e;
    if (const auto it = done.find(e.get()); it != done.end()) return it->second;
    Expr result = is_read(e) ? found({e, facts_of(e).version}) : Expr();
    if (!result.defined()) result = map_operands(e, run);
    done.emplace(e.get(), result);
    return result;
  };
  return run(expr);
}

void BlockReads::pass(const Stmt& stmt) {
  ++passed_;
  const std::set<std::string> changed = memory_.changed_by(stmt);
  for (const std::string& tensor : changed) versions_[tensor] = passed_;
  if (!changed.empty()) facts_.clear();
}

bool BlockReads::is_read(const Expr& expr) {
  const Facts& facts = facts_of(expr);
  return facts.is_memory && (expr->kind == ExprKind::Load || facts.has_lazy_load);
}

const BlockReads::Facts& BlockReads::facts_of(const Expr& expr) {
  if (const auto it = facts_.find(expr.get()); it != facts_.end()) return it->second;
  Facts facts;
  for (std::size_t i = 0; i < expr->operands.size(); ++i) {
    const Facts& operand = facts_of((*expr)[i]);
    facts.loads |= operand.loads;
    facts.has_lazy_load |= operand.loads && is_lazy_operand(expr, i);
    facts.is_memory &= operand.is_memory;
    facts.version = std::max(facts.version, operand.version);
  }
  if (expr->kind == ExprKind::Load) {
    facts.loads |= !is_read_anywhere(*expr, memory_.images());
    facts.is_memory &= memory_.is_memory(expr->name);
    if (const auto it = versions_.find(expr->name); it != versions_.end())
      facts.version = std::max(facts.version, it->second);
  }
  return facts_.emplace(expr.get(), facts).first->second;
}

}  // namespace tensordsl::lower

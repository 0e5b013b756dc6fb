#include "lower/passes/memory/drop_idle_stores.h"

#include <map>
#include <string>
#include <vector>

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Loads by the names that hold them, as long as nothing is stored to their tensors.
using LoadedNames = std::map<std::string, Expr>;

bool loads_place_of(const Expr& value, const StmtNode& store) {
  if (value->kind != ExprKind::Load || value->name != store.name || value->component != store.component)
    return false;
  const std::vector<Expr> indices = store.indices();
  if (value->operands.size() != indices.size()) return false;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!same((*value)[i], indices[i])) return false;
  }
  return true;
}

bool is_idle_store(const StmtNode& store, const LoadedNames& held) {
  const Expr& value = store.value();
  if (value->kind != ExprKind::Var) return loads_place_of(value, store);
  const auto it = held.find(value->name);
  return it != held.end() && loads_place_of(it->second, store);
}

Stmt without_idle_stores(const Stmt& stmt, LoadedNames& held) {
  switch (stmt->kind) {
    case StmtKind::Store: {
      if (is_idle_store(*stmt, held)) return make_block({});
      std::erase_if(held, [&](const auto& named) { return named.second->name == stmt->name; });
      return stmt;
    }
    case StmtKind::Let:
      held.erase(stmt->name);
      if (stmt->value()->kind == ExprKind::Load) held[stmt->name] = stmt->value();
      return map_children(stmt, nullptr, [&](const Stmt& body) { return without_idle_stores(body, held); });
    case StmtKind::Block:
      return map_children(stmt, nullptr, [&](const Stmt& s) { return without_idle_stores(s, held); });
    default: {
      // Stores in a loop or a test, and of others before a barrier, are not followed.
      const Stmt result = map_children(stmt, nullptr, [](const Stmt& body) {
        LoadedNames inside;
        return without_idle_stores(body, inside);
      });
      held.clear();
      return result;
    }
  }
}

}  // namespace

Stmt drop_idle_stores(const Stmt& stmt) {
  LoadedNames held;
  return without_idle_stores(stmt, held);
}

}  // namespace tensordsl::lower

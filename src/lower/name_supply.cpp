#include "lower/name_supply.h"

#include <fmt/format.h>

namespace tensordsl::lower {

using namespace ir;

NameSupply::NameSupply(const Stmt& kernel) {
  visit(
      kernel,
      [&](const Stmt& s) {
        if (!s->name.empty()) taken_.insert(s->name);
        return true;
      },
      [&](const Expr& expr) {
        visit(expr, [&](const Expr& e) {
          if (e->kind == ExprKind::Var || e->kind == ExprKind::Load) taken_.insert(e->name);
          return true;
        });
      });
}

std::string NameSupply::numbered(const std::string& base) {
  int& next = next_[base];
  for (;;) {
    std::string name = fmt::format("{}.{}", base, next++);
    if (taken_.insert(name).second) return name;
  }
}

const std::string& NameSupply::named(const std::string& name) {
  const auto [it, is_new] = given_.try_emplace(name);
  if (is_new) it->second = taken_.insert(name).second ? name : numbered(name);
  return it->second;
}

}  // namespace tensordsl::lower

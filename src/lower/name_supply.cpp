#include "lower/name_supply.h"

#include <fmt/format.h>

namespace tensordsl::lower {

using namespace ir;

namespace {

void add_names(const Stmt& kernel, std::set<std::string>& names) {
  visit(
      kernel,
      [&](const Stmt& s) {
        if (!s->name.empty()) names.insert(s->name);
        return true;
      },
      [&](const Expr& expr) {
        visit(expr, [&](const Expr& e) {
          if (e->kind == ExprKind::Var || e->kind == ExprKind::Load) names.insert(e->name);
          return true;
        });
      });
}

}  // namespace

/// Returns false if the name is used already.
bool NameSupply::take(const std::string& name) {
  if (kernel_.defined() && kernel_->names.may_share(NameFilter(name))) {
    add_names(kernel_, taken_);
    kernel_ = Stmt();
  }
  return taken_.insert(name).second;
}

std::string NameSupply::numbered(const std::string& base) {
  int& next = next_[base];
  for (;;) {
    std::string name = fmt::format("{}.{}", base, next++);
    if (take(name)) return name;
  }
}

const std::string& NameSupply::named(const std::string& name) {
  const auto [it, is_new] = given_.try_emplace(name);
  if (is_new) it->second = take(name) ? name : numbered(name);
  return it->second;
}

}  // namespace tensordsl::lower

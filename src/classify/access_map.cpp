#include "classify/access_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ir/simplify/simplify.h"

namespace tensordsl::classify {

using namespace ir;

namespace {

/// min(max(x, low), high), with ends that no axis is in  ->  x
Expr without_clamp(const Expr& index) {
  const auto is_bound = [](const Expr& e) {
    bool is_free = true;
    visit(e, [&](const Expr& part) {
      is_free = is_free && part->kind != ExprKind::Var && part->kind != ExprKind::Call;
      return is_free;
    });
    return is_free;
  };
  Expr e = index;
  for (const ExprKind kind : {ExprKind::Min, ExprKind::Max}) {
    if (e->kind != kind) continue;
    if (is_bound((*e)[1])) {
      e = (*e)[0];
    } else if (is_bound((*e)[0])) {
      e = (*e)[1];
    }
  }
  return e;
}

const char* name_of(IndexKind kind) {
  switch (kind) {
    case IndexKind::Affine:
      return "affine";
    case IndexKind::QuasiAffine:
      return "quasi-affine";
    case IndexKind::DataDependent:
      return "data-dependent";
  }
  return "?";
}

class AccessFinder {
 public:
  void find(const Expr& expr) {
    if (!seen_.insert(expr).second) return;
    for (const Expr& operand : expr->operands) find(operand);
    if (expr->kind != ExprKind::Call) return;
    Access access{expr->function, expr->name, expr->component, {}};
    for (const Expr& index : expr->operands) access.indices.push_back(index_map_of(index));
    found.push_back(std::move(access));
  }

  std::vector<Access> found;

 private:
  std::unordered_set<Expr, ExprHash, ExprSame> seen_;
};

}  // namespace

bool IndexMap::is_axis(const std::string& axis) const {
  return !is_clamped && index->kind == ExprKind::Var && index->name == axis;
}

std::int64_t IndexMap::coefficient_of(const std::string& axis) const {
  for (const Term& term : form.terms()) {
    if (term.atom->kind == ExprKind::Var && term.atom->name == axis) return term.coefficient;
  }
  return 0;
}

IndexKind Access::kind() const {
  IndexKind worst = IndexKind::Affine;
  for (const IndexMap& index : indices) worst = std::max(worst, index.kind);
  return worst;
}

std::string to_string(const Access& access) {
  std::string text;
  for (const IndexMap& index : access.indices) {
    text += text.empty() ? "" : ", ";
    text += index.is_clamped ? fmt::format("clamp({})", to_string(index.index)) : to_string(index.index);
  }
  return fmt::format("{}({}) {}", buffer_name(access.name, access.component), text, name_of(access.kind()));
}

IndexMap index_map_of(const Expr& index) {
  IndexMap map;
  const Expr simple = simplify(unmarked(index));
  map.index = without_clamp(simple);
  map.is_clamped = map.index.get() != simple.get();
  map.form = LinearForm(map.index);
  for (const Term& term : map.form.terms()) {
    if (term.atom->kind == ExprKind::Var) continue;
    map.kind = std::max(map.kind, IndexKind::QuasiAffine);
    visit(term.atom, [&](const Expr& e) {
      if (e->kind == ExprKind::Call || e->kind == ExprKind::Load) map.kind = IndexKind::DataDependent;
      return map.kind != IndexKind::DataDependent;
    });
  }
  return map;
}

std::vector<Access> accesses_of(const Expr& expr) {
  AccessFinder finder;
  finder.find(expr);
  return std::move(finder.found);
}

}  // namespace tensordsl::classify

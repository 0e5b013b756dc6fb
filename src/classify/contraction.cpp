#include "classify/contraction.h"

#include <algorithm>
#include <tuple>

namespace tensordsl::classify {

using namespace ir;

namespace {

Expr without_casts(Expr expr) {
  while (expr->kind == ExprKind::Cast) expr = (*expr)[0];
  return expr;
}

std::optional<Access> read_of(const Expr& factor) {
  const Expr read = without_casts(factor);
  if (read->kind != ExprKind::Call || !read->function) return std::nullopt;
  return accesses_of(read).back();
}

/// The way in which an axis indexes a factor.
enum class Use { None, Plain, Quotient };

Use use_of(const Access& access, const std::string& axis) {
  Use use = Use::None;
  for (const IndexMap& index : access.indices) {
    if (index.coefficient_of(axis) != 0) return Use::Plain;
    for (const Term& term : index.form.terms()) {
      if (term.atom->kind != ExprKind::Var && uses_var(term.atom, axis)) use = Use::Quotient;
    }
  }
  return use;
}

const ReductionAxis* find_axis(const Definition& update, const std::string& name) {
  const auto found = std::ranges::find(update.domain, name, &ReductionAxis::name);
  return found == update.domain.end() ? nullptr : &*found;
}

void add_windows(const Access& access, const Function& function, const Definition& update,
                 std::vector<Window>& windows) {
  for (const IndexMap& index : access.indices) {
    if (index.kind != IndexKind::Affine || index.form.terms().size() != 2) continue;
    Window window;
    for (const Term& term : index.form.terms()) {
      if (const ReductionAxis* axis = find_axis(update, term.atom->name)) {
        window.axis = axis->name;
        window.extent = axis->extent;
        window.dilation = term.coefficient;
      } else if (std::ranges::find(function.dims, term.atom->name) != function.dims.end()) {
        window.dim = term.atom->name;
        window.stride = term.coefficient;
      }
    }
    window.offset = index.form.constant;
    const bool is_known =
        std::ranges::any_of(windows, [&](const Window& w) { return w.axis == window.axis; });
    if (!window.axis.empty() && !window.dim.empty() && !is_known) windows.push_back(window);
  }
}

/// A dimension that indexes both factors slides over neither: head*64 + r is the r-th element of a head.
void remove_batches(std::vector<Window>& windows, const Access& a, const Access& b) {
  std::erase_if(windows, [&](const Window& window) {
    return use_of(a, window.dim) != Use::None && use_of(b, window.dim) != Use::None;
  });
}

}  // namespace

std::optional<std::pair<Access, Access>> factors_of_update(const Function& function,
                                                           const Definition& update) {
  if (update.values.size() != 1 || update.domain.empty()) return std::nullopt;
  const Expr sum = without_casts(update.value());
  if (sum->kind != ExprKind::Add) return std::nullopt;
  for (const std::size_t self : {0U, 1U}) {
    const Expr own = without_casts((*sum)[self]), product = without_casts((*sum)[1 - self]);
    if (own->kind != ExprKind::Call || own->function || own->name != function.name) continue;
    if (product->kind != ExprKind::Mul) continue;
    auto a = read_of((*product)[0]), b = read_of((*product)[1]);
    if (a && b) return std::pair{std::move(*a), std::move(*b)};
  }
  return std::nullopt;
}

std::vector<Window> windows_of(const Function& function, const Definition& update) {
  std::vector<Window> windows;
  for (const Expr& value : update.values) {
    for (const Access& access : accesses_of(value)) {
      if (access.tensor) add_windows(access, function, update, windows);
    }
  }
  if (const auto factors = factors_of_update(function, update))
    remove_batches(windows, factors->first, factors->second);
  return windows;
}

Contraction contraction_of(const Function& function, const Definition& update) {
  Contraction roles;
  std::tie(roles.a, roles.b) = factors_of_update(function, update).value();
  std::vector<Window> of_b;
  add_windows(roles.b, function, update, of_b);
  remove_batches(of_b, roles.a, roles.b);
  if (!of_b.empty()) std::swap(roles.a, roles.b);
  for (const std::string& dim : function.dims) {
    const Use in_a = use_of(roles.a, dim), in_b = use_of(roles.b, dim);
    if (in_a == Use::Quotient && in_b == Use::Plain) {
      roles.group.push_back(dim);
    } else if (in_a != Use::None && in_b != Use::None) {
      roles.batch.push_back(dim);
    } else if (in_a != Use::None) {
      roles.m.push_back(dim);
    } else if (in_b != Use::None) {
      roles.n.push_back(dim);
    }
  }
  const std::vector<Window> windows = windows_of(function, update);
  for (const ReductionAxis& axis : update.domain) {
    const bool slides = std::ranges::any_of(windows, [&](const Window& w) { return w.axis == axis.name; });
    if (!slides) roles.k.push_back(axis.name);
  }
  return roles;
}

}  // namespace tensordsl::classify

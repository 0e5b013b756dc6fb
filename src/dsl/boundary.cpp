#include "tensordsl/boundary.h"

#include <fmt/format.h>

#include "tensordsl/error.h"

namespace tensordsl::BoundaryConditions {
namespace {

std::vector<Var> index_vars(std::string_view call, const Func& f, const std::vector<Expr>& extents) {
  if (static_cast<int>(extents.size()) != f.rank()) {
    throw DefinitionError(
        fmt::format("BoundaryConditions::{}({}): found {} extents for {} dimensions; pass an undefined Expr "
                    "for a dimension that is not extended",
                    call, f.name(), extents.size(), f.rank()));
  }
  std::vector<Var> vars;
  for (int d = 0; d < f.rank(); ++d) vars.emplace_back(fmt::format("b{}", d));
  return vars;
}

/// The clamp keeps the indices of f inside its shape, for any index; if the test around it implies that
/// already, the simplifier removes the clamp.
std::vector<Expr> clamped(const std::vector<Var>& vars, const std::vector<Expr>& extents) {
  std::vector<Expr> indices;
  for (std::size_t d = 0; d < vars.size(); ++d) {
    indices.push_back(extents[d].defined() ? clamp(vars[d], 0, extents[d] - 1) : Expr(vars[d]));
  }
  return indices;
}

/// `call` is the user's call, for errors.
Func with_constant(std::string_view call, const Func& f, Expr value, const std::vector<Expr>& extents,
                   const std::string& name) {
  const auto vars = index_vars(call, f, extents);
  Expr inside;
  for (std::size_t d = 0; d < vars.size(); ++d) {
    if (!extents[d].defined()) continue;
    const Expr test = Expr(0) <= Expr(vars[d]) && Expr(vars[d]) < extents[d];
    inside = inside.defined() ? inside && test : test;
  }
  Func padded(name.empty() ? f.name() + "_padded" : name);
  const Expr element = f(clamped(vars, extents));
  padded(vars) = inside.defined() ? select(inside, element, cast(element.type(), std::move(value))) : element;
  return padded;
}

}  // namespace

Func constant(const Func& f, Expr value, const std::vector<Expr>& extents, const std::string& name) {
  return with_constant("constant", f, std::move(value), extents, name);
}

Func zero(const Func& f, const std::vector<Expr>& extents) {
  return with_constant("zero", f, Expr(0), extents, "");
}

Func repeat_edge(const Func& f, const std::vector<Expr>& extents) {
  const auto vars = index_vars("repeat_edge", f, extents);
  Func padded(f.name() + "_clamped");
  padded(vars) = Expr(f(clamped(vars, extents)));
  return padded;
}

}  // namespace tensordsl::BoundaryConditions

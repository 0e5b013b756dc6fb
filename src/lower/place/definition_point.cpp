#include "lower/place/definition_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "ir/nodes/sub_groups.h"
#include "lower/place/loop_names.h"
#include "schedule/reduction.h"

namespace tensordsl::lower {

using namespace ir;

bool DefinitionPoint::is_self(const Expr& e) const {
  return e->kind == ExprKind::Load && e->name == function_.name;
}

bool DefinitionPoint::reads_self(const Expr& expr, std::optional<int> component) const {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || (is_self(e) && e->component == component.value_or(e->component));
    return !found;
  });
  return found;
}

std::vector<Expr> DefinitionPoint::indices(const Substitution& renamed) const {
  std::vector<Expr> result;
  for (const Expr& arg : definition_.args) result.push_back(substitute(arg, renamed));
  return result;
}

Stmt DefinitionPoint::stores(const Substitution& renamed) const {
  std::vector<Expr> at = indices(renamed), values;
  for (const Expr& value : definition_.values) values.push_back(substitute(value, renamed));
  const std::vector<int> components = function_.components();
  if (!function_.is_tuple()) return make_store(function_.name, values[0], at);
  std::vector<std::pair<std::string, Expr>> named;
  const auto give_name = [&](Expr& value, const std::string& what) {
    named.emplace_back(loop_name(function_.name, stage_, what), value);
    value = make_var(named.back().first, value.type());
  };
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (reads_self(at[d])) give_name(at[d], fmt::format("index.{}", d));
  }
  std::vector<Stmt> in_order;
  const std::vector<Expr> places = indices(renamed);
  const auto keeps_its_value = [&](std::size_t i) {
    const ExprNode& value = *values[i];
    return value.kind == ExprKind::Load && value.name == function_.name && value.component == components[i] &&
           std::equal(places.begin(), places.end(), value.operands.begin(), value.operands.end(), ExprSame());
  };
  std::vector<std::size_t> left(values.size());
  std::iota(left.begin(), left.end(), 0);
  std::erase_if(left, keeps_its_value);
  if (left.empty()) left = {0};
  const auto is_free = [&](std::size_t i) {
    return std::ranges::none_of(
        left, [&](std::size_t other) { return other != i && reads_self(values[other], components[i]); });
  };
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, is_free);
    if (next == left.end()) {
      for (const std::size_t i : left) give_name(values[i], fmt::format("value.{}", i));
      continue;
    }
    const std::size_t i = *next;
    left.erase(next);
    in_order.push_back(make_store(function_.name, values[i], at, 1, components[i]));
  }
  Stmt body = make_block(std::move(in_order));
  for (std::size_t i = named.size(); i-- > 0;) body = make_let(named[i].first, named[i].second, body);
  return body;
}

Stmt DefinitionPoint::reduction_over_lanes(const Substitution& renamed, const Expr& in_domain,
                                           const Expr& is_first) const {
  const Expr value = substitute(definition_.value(), renamed);
  const std::size_t self = is_self((*value)[0]) ? 0 : 1;
  Expr term = (*value)[1 - self];
  // Past the domain there is nothing to combine, but the work-item has to come.
  if (in_domain.defined())
    term = make_select(in_domain, term, schedule::identity_of(value->kind, function_.type()));
  const bool passes_nans = value->kind == ExprKind::MinOrNan || value->kind == ExprKind::MaxOrNan;
  const Meeting all = meeting("lanes", value->kind, term);
  const Meeting nans = passes_nans ? meeting("nans", ExprKind::Max, cast(Int(32), term != term)) : Meeting{};
  const Expr combined =
      passes_nans ? make_select(nans.result == 0, all.result,
                                make_float(function_.type(), std::numeric_limits<double>::quiet_NaN()))
                  : all.result;
  const Stmt result =
      make_store(function_.name, make_binary(value->kind, (*value)[self], combined), indices(renamed));
  const Stmt by_first = make_if(is_first, result);
  return all.around(passes_nans ? nans.around(by_first) : by_first);
}

Stmt DefinitionPoint::Meeting::around(const Stmt& stmt) const {
  return make_allocate(name, result.type(), {Expr(1)}, Memory::Private, make_block({store, stmt}));
}

DefinitionPoint::Meeting DefinitionPoint::meeting(const std::string& what, ExprKind kind,
                                                  const Expr& term) const {
  const std::string name = loop_name(function_.name, stage_, what);
  const std::string operation(find_sub_group_reduction(kind)->name);
  return {name, make_store(name, make_intrinsic(term.type(), operation, {term}), {Expr(0)}),
          make_load(term.type(), name, {Expr(0)})};
}

}  // namespace tensordsl::lower

#include "classify/classify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "classify/contraction.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::classify {

using namespace ir;

namespace {

bool has_reads(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    found = found || e->kind == ExprKind::Call;
    return !found;
  });
  return found;
}

/// True for one read, or a select among reads and constants whose condition depends only on the position.
bool only_moves(const Expr& value) {
  if (value->kind == ExprKind::Call) return true;
  return value->kind == ExprKind::Select && !has_reads((*value)[0]) &&
         (is_const((*value)[1]) || only_moves((*value)[1])) &&
         (is_const((*value)[2]) || only_moves((*value)[2]));
}

Class class_of_pure(const Definition& definition) {
  const bool moves = std::ranges::all_of(
      definition.values, [](const Expr& value) { return only_moves(simplify(unmarked(value))); });
  return moves ? Class::Movement : Class::Pointwise;
}

/// A value that is one of the Func's own elements, whatever is compared to choose it.
bool chooses_own(const Expr& value) {
  switch (value->kind) {
    case ExprKind::Call:
      return !value->function;
    case ExprKind::Select:
      return chooses_own((*value)[1]) && chooses_own((*value)[2]);
    case ExprKind::Min:
    case ExprKind::Max:
    case ExprKind::MinOrNan:
    case ExprKind::MaxOrNan:
      return chooses_own((*value)[0]) && chooses_own((*value)[1]);
    default:
      return false;
  }
}

Class class_of_update(const Function& function, const Definition& update) {
  bool writes_own_place = true, reads_own_place = true, reads_itself = false;
  for (std::size_t d = 0; d < update.args.size(); ++d) {
    const Expr& arg = update.args[d];
    writes_own_place = writes_own_place && arg->kind == ExprKind::Var && arg->name == function.dims[d];
  }
  for (const Expr& expr : update.expressions()) {
    visit(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Call || e->function) return true;
      reads_itself = true;
      for (std::size_t d = 0; d < update.args.size(); ++d)
        reads_own_place = reads_own_place && same(e->operands[d], update.args[d]);
      return true;
    });
  }
  if (reads_itself && !reads_own_place) {
    return std::ranges::all_of(update.values, chooses_own) ? Class::Sort : Class::Scan;
  }
  if (!writes_own_place) return Class::Scatter;
  return factors_of_update(function, update) ? Class::Contraction : Class::Reduction;
}

std::string list(const char* role, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format(" {}({})", role, fmt::join(names, ", "));
}

}  // namespace

Classification classify(const Function& function) {
  Classification result;
  result.kind = class_of_pure(function.definitions.at(0));
  for (std::size_t i = 0; i < function.definitions.size(); ++i) {
    const Definition& definition = function.definitions[i];
    for (const Expr& expr : definition.expressions()) {
      for (Access& access : accesses_of(expr)) {
        if (access.tensor) result.reads.push_back(std::move(access));
      }
    }
    if (i == 0) continue;
    const Class kind = class_of_update(function, definition);
    // The pure definition does not decide the class if there are updates: any update overrides it.
    if (i == 1 || kind > result.kind) result.kind = kind;
    if (kind != Class::Reduction && kind != Class::Contraction) continue;
    result.windows = windows_of(function, definition);
    result.steps = Expr(1);
    for (const ReductionAxis& axis : definition.domain) result.steps = result.steps * axis.extent;
    result.steps = simplify(result.steps);
    if (kind == Class::Contraction) result.roles = contraction_of(function, definition);
  }
  if (result.kind != Class::Contraction) result.roles.reset();
  if (result.kind != Class::Contraction && result.kind != Class::Reduction) result.windows.clear();
  return result;
}

bool reads_in_place(const Function& function, const std::string& tensor) {
  if (function.definitions.size() != 1) return false;
  bool found = false, in_place = true;
  for (const Expr& expr : function.definitions[0].expressions()) {
    for (const Access& access : accesses_of(expr)) {
      if (access.name != tensor) continue;
      found = true;
      in_place = in_place && access.indices.size() == function.dims.size();
      for (std::size_t d = 0; in_place && d < access.indices.size(); ++d)
        in_place = access.indices[d].is_axis(function.dims[d]);
    }
  }
  return found && in_place;
}

const char* to_string(Class kind) {
  switch (kind) {
    case Class::Movement:
      return "movement";
    case Class::Pointwise:
      return "pointwise";
    case Class::Reduction:
      return "reduction";
    case Class::Contraction:
      return "contraction";
    case Class::Scan:
      return "scan";
    case Class::Scatter:
      return "scatter";
    case Class::Sort:
      return "sort";
  }
  return "?";
}

std::string to_string(const Classification& c) {
  std::string text = to_string(c.kind);
  if (c.roles) {
    text += list("batch", c.roles->batch) + list("group", c.roles->group) + list("m", c.roles->m) +
            list("n", c.roles->n) + list("k", c.roles->k);
  }
  for (const Window& w : c.windows) {
    text += fmt::format(" window({}: {}", w.dim, w.axis);
    if (w.stride != 1) text += fmt::format(", stride {}", w.stride);
    if (w.dilation != 1) text += fmt::format(", dilation {}", w.dilation);
    text += ")";
  }
  text += "\n";
  for (const Access& access : c.reads) text += fmt::format("  reads {}\n", to_string(access));
  return text;
}

}  // namespace tensordsl::classify

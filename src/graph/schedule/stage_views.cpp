#include "graph/schedule/stage_views.h"

#include <algorithm>
#include <set>

#include "classify/classify.h"
#include "definitions/redirector.h"
#include "dsl/func_of.h"
#include "dsl/make_func.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/staged_product.h"

namespace tensordsl::graph {
namespace {

using classify::Access;
using classify::IndexKind;
using definitions::StoredGroup;

/// Returns the read of a product's factor that is a layout transformation; null if there is none.
const Access* moved_factor(const StoredGroup& group, const classify::Classification& product) {
  if (!product.roles || product.reads.size() != 2) return nullptr;
  const Access &a = product.roles->a, &b = product.roles->b;
  const Access* moved = a.kind() == IndexKind::QuasiAffine && b.kind() == IndexKind::Affine   ? &a
                        : b.kind() == IndexKind::QuasiAffine && a.kind() == IndexKind::Affine ? &b
                                                                                              : nullptr;
  if (!moved) return nullptr;
  const auto operand = std::ranges::find_if(
      group.operands, [&](const definitions::GroupOperand& o) { return o.input.shared() == moved->tensor; });
  return operand == group.operands.end() || operand->stored.image ? nullptr : moved;
}

std::set<std::string> variables_of(const Expr& call) {
  std::set<std::string> names;
  for (const Expr& index : call->operands) {
    ir::visit(index, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Var) names.insert(e->name);
      return true;
    });
  }
  return names;
}

/// The Call that reads `tensor`, in the update of `anchor`.
Expr call_of(const Func& anchor, const ir::FunctionPtr& tensor) {
  Expr found;
  for (const Expr& expr : anchor.contents().definitions[1].expressions()) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call && e->function == tensor) found = e;
      return !found.defined();
    });
  }
  return found;
}

/// Returns a Func of the values read, in the order of the product's dimensions; the axes of its sum are
/// innermost.
Func moved_func(const Func& anchor, const Expr& call) {
  const std::set<std::string> names = variables_of(call);
  std::vector<std::string> dims;
  for (const std::string& dim : anchor.contents().dims) {
    if (names.contains(dim)) dims.push_back(dim);
  }
  for (const ir::ReductionAxis& axis : anchor.contents().definitions[1].domain) {
    if (names.contains(axis.name)) dims.push_back(axis.name);
  }
  return pure_func(anchor.name() + "_moved", dims, call);
}

StoredGroup with_moved(const StoredGroup& group, const Access& factor) {
  const Func& anchor = group.anchors[0];
  const Expr call = call_of(anchor, factor.tensor);
  const Func moved = moved_func(anchor, call);
  const Func product = copy_with_reads(anchor, anchor.name(), [&](const Expr& read) {
    return read->function == factor.tensor ? read_of(moved, vars_of(moved.contents().dims)) : read;
  });
  StoredGroup result = group;
  definitions::Redirector redirector;
  redirector.redirect(anchor, product);
  result.prologue.push_back(moved);
  result.anchors[0] = product;
  for (Func& func : result.epilogue) {
    redirector.update(func);
    func = redirector.now(func);
  }
  for (Func& func : result.outputs) func = redirector.now(func);
  classify_funcs(result);
  return result;
}

}  // namespace

StoredGroup stage_views(StoredGroup group, const Target& target) {
  // Other forms have handles of Funcs, which are rebuilt here.
  if (!std::holds_alternative<definitions::PlainForm>(group.form)) return group;
  if (group.anchors.size() != 1 || group.anchors[0].updates() != 1 || group.outputs.size() != 1) return group;
  if (schedules::applies_staged_product(group, target)) return group;
  const Access* factor = moved_factor(group, group.class_of(group.anchors[0]));
  if (!factor) return group;
  StoredGroup moved = with_moved(group, *factor);
  return schedules::applies_staged_product(moved, target) ? moved : group;
}

}  // namespace tensordsl::graph

#include "lower/passes/vectors/use_dot_products.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "ir/nodes/dot_product.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "lower/passes/vectors/flatten.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A step of a sum: store sum = sum + i32(a)*i32(b).
struct Step {
  Expr sum;
  std::array<Expr, 2> factors;  // loads
};

/// Returns the load of a factor of 8-bit integers; undefined for another factor.
Expr loaded(const Expr& factor) {
  if (factor->kind != ExprKind::Cast || factor.type() != Int(32)) return {};
  const Expr& load = (*factor)[0];
  // An index from memory may have been stored by an earlier step.
  const bool is_load = load->kind == ExprKind::Load && load->operands.size() == 1 &&
                       (*load)[0].type().lanes == 1 && is_dot_product_type(load.type()) &&
                       !reads_memory((*load)[0]);
  return is_load ? load : Expr();
}

std::optional<Step> step_of(const Stmt& s) {
  if (s->kind != StmtKind::Store || s->indices().size() != 1 || s->value()->kind != ExprKind::Add ||
      s->value().type() != Int(32) || reads_memory(s->index()))
    return std::nullopt;
  const auto is_sum = [&](const Expr& e) {
    return e->kind == ExprKind::Load && e->name == s->name && e->operands.size() == 1 &&
           same((*e)[0], s->index());
  };
  const Expr& value = s->value();
  const std::size_t own = is_sum((*value)[0]) ? 0 : 1;
  const Expr& product = (*value)[1 - own];
  if (!is_sum((*value)[own]) || product->kind != ExprKind::Mul) return std::nullopt;
  Step step{(*value)[own], {loaded((*product)[0]), loaded((*product)[1])}};
  if (!step.factors[0].defined() || !step.factors[1].defined()) return std::nullopt;
  return step;
}

/// True if `load` is `elements` elements after `first`.
bool is_behind(const Expr& load, const Expr& first, int elements) {
  return load->name == first->name && load.type() == first.type() &&
         is_const(simplify((*load)[0] - (*first)[0]), elements);
}

class DotProducts {
 public:
  Stmt run(const Stmt& stmt) const {
    if (stmt->kind != StmtKind::Block)
      return map_children(stmt, nullptr, [&](const Stmt& s) { return run(s); });
    std::vector<Stmt> flat, result;
    flatten(stmt, flat);
    for (std::size_t i = 0; i < flat.size(); ++i) {
      if (const Stmt dot = dot_at(flat, i); dot.defined()) {
        result.push_back(dot);
        i += kDotProductLanes - 1;
      } else {
        result.push_back(run(flat[i]));
      }
    }
    return make_block(std::move(result));
  }

 private:
  /// Returns the dot product of the four statements from `first` on; undefined if they are not one.
  static Stmt dot_at(const std::vector<Stmt>& statements, std::size_t first) {
    if (first + kDotProductLanes > statements.size()) return {};
    const std::optional<Step> begin = step_of(statements[first]);
    if (!begin) return {};
    for (int i = 1; i < kDotProductLanes; ++i) {
      std::optional<Step> step = step_of(statements[first + static_cast<std::size_t>(i)]);
      if (!step || !same(step->sum, begin->sum)) return {};
      if (!is_behind(step->factors[0], begin->factors[0], i)) std::swap(step->factors[0], step->factors[1]);
      for (const std::size_t f : {0U, 1U}) {
        if (!is_behind(step->factors[f], begin->factors[f], i)) return {};
      }
    }
    std::vector<Expr> operands;
    for (const Expr& factor : begin->factors)
      operands.push_back(
          make_load(factor.type(), factor->name, {make_ramp((*factor)[0], Expr(1), kDotProductLanes)}));
    operands.push_back(begin->sum);
    const Stmt& store = statements[first];
    return make_store(store->name, make_intrinsic(Int(32), std::string(kDotProduct), std::move(operands)),
                      {store->index()});
  }
};

/// True if a tensor has 8-bit integers.
bool has_bytes(const PassContext& context) {
  return std::ranges::any_of(context.tensors.stored,
                             [](const auto& tensor) { return is_dot_product_type(tensor.second.type); });
}

}  // namespace

KernelBody use_dot_products(const KernelBody& kernel, const PassContext& context) {
  if (!context.options.has_integer_dot_product.value_or(true) || !has_bytes(context)) return kernel;
  KernelBody result = kernel;
  result.body = DotProducts().run(kernel.body);
  return result;
}

}  // namespace tensordsl::lower

#include "lower/passes/convert_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "base/index_limit.h"
#include "ir/interval.h"
#include "ir/linear_form.h"
#include "ir/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr linear_index(const StoredTensor& tensor, const std::vector<Expr>& indices) {
  const auto extents = tensor.layout.stored_extents(tensor.extents);
  const auto stored = tensor.layout.stored_indices(indices);
  if (stored.empty()) return Expr(0);  // the one element of a tensor without dimensions
  Expr at = stored[0];
  for (std::size_t i = 1; i < stored.size(); ++i) at = at * extents[i] + stored[i];
  return at;
}

/// Of a buffer the linear index; of an image the coordinates of the texel, outermost first, and the element
/// in it.
std::vector<Expr> address(const StoredTensor& tensor, const std::vector<Expr>& indices) {
  if (!tensor.image) return {linear_index(tensor, indices)};
  std::vector<Expr> coordinates = tensor.layout.group_indices(indices, tensor.extents);
  if (coordinates.size() == static_cast<std::size_t>(coordinates_of(*tensor.image)))
    coordinates.emplace_back(0);
  return coordinates;
}

/// What is known of the loops around a statement.
struct Scope {
  Bounds bounds;
  std::map<std::string, Expr> last;  // of variables from 0 on
};

Scope with_loop(Scope scope, const StmtNode& loop) {
  const Interval first = bounds_of(loop.min(), scope.bounds);
  const Interval count = bounds_of(loop.extent(), scope.bounds);
  Interval range;
  range.low = first.low;
  if (first.high < INT32_MAX && count.high < INT32_MAX) range.high = first.high + count.high - 1;
  scope.bounds[loop.name] = range;
  scope.last.erase(loop.name);
  if (range.low >= 0) scope.last.insert_or_assign(loop.name, loop.min() + loop.extent() - 1);
  return scope;
}

/// Which extremum of the term's atom makes the sum no larger than one of its sides does.
ExprKind limiting(const Term& t) { return t.coefficient > 0 ? ExprKind::Min : ExprKind::Max; }

/// Of min(x, y)/n, n.
std::optional<int> divisor_of(const Expr& atom, ExprKind extremum) {
  if (atom->kind != ExprKind::Div || (*atom)[0]->kind != extremum) return std::nullopt;
  const std::int64_t* divisor = as_int((*atom)[1]);
  return divisor && *divisor > 0 ? std::optional(static_cast<int>(*divisor)) : std::nullopt;
}

/// No less than `size`. min(xo*4 + 3, n) - max(xo*4, 1) has no bound as a sum of two, but is at most
/// xo*4 + 3 - xo*4: no minimum is above one of its sides, and no maximum below, nor is the quotient of one.
/// Of a loop of n steps, x + 8 - n is at most 7.
std::int64_t largest(const Expr& size, const Scope& scope, int depth = 4) {
  std::int64_t result = bounds_of(size, scope.bounds).high;
  if (result <= INT32_MAX / 2 || depth == 0) return result;
  const LinearForm form(size);
  const auto try_instead = [&](const Term& t, const Expr& other) {
    LinearForm without = form;
    without.add_atom(t.atom, -t.coefficient);
    without.add(other, t.coefficient);
    const auto sum = to_expr(without, Int(32));
    if (sum) result = std::min(result, largest(simplify(*sum, scope.bounds), scope, depth - 1));
  };
  for (const Term& t : form.terms()) {
    if (const auto divisor = divisor_of(t.atom, limiting(t))) {
      for (const Expr& side : (*t.atom)[0]->operands) try_instead(t, side / *divisor);
    }
  }
  for (const Term& t : form.terms()) {
    const auto loop = t.atom->kind == ExprKind::Var ? scope.last.find(t.atom->name) : scope.last.end();
    if (t.atom->kind == limiting(t)) {
      for (const Expr& side : t.atom->operands) try_instead(t, side);
    } else if (loop != scope.last.end()) {
      try_instead(t, t.coefficient > 0 ? loop->second : Expr(0));
    } else {
      continue;
    }
    break;  // the other terms are met in what is left
  }
  return result;
}

class AddressConverter {
 public:
  explicit AddressConverter(const StoredTensors& tensors) : tensors_(tensors) {}

  Stmt run(const Stmt& stmt, const Scope& scope) {
    if (stmt->kind == StmtKind::Allocate) return run_allocate(*stmt, scope);
    if (stmt->kind == StmtKind::Store) {
      std::vector<Expr> indices;
      for (const Expr& index : stmt->indices()) indices.push_back(run(index));
      return make_store(stmt->name, run(stmt->value()), address(at(stmt->name), indices));
    }
    const Scope inner = stmt->kind == StmtKind::For ? with_loop(scope, *stmt) : scope;
    return map_children(
        stmt, [&](const Expr& e) { return run(e); }, [&](const Stmt& s) { return run(s, inner); });
  }

 private:
  Expr run(const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Load) return e;
      return make_load(e.type(), e->name, address(at(e->name), e->operands));
    });
  }

  Stmt run_allocate(const StmtNode& node, const Scope& scope) {
    // What the passes allocated is row-major.
    const auto planned = tensors_.find(node.name);
    const Layout layout = planned != tensors_.end()
                              ? planned->second.layout
                              : Layout::row_major(static_cast<int>(node.extents().size()));
    StoredTensor tile{node.type, {}, layout};
    for (const Expr& extent : node.extents()) {
      const std::int64_t size = largest(extent, scope);
      if (size > INT32_MAX / 2) {
        throw ScheduleError(
            fmt::format("{}: its storage inside a kernel needs a constant size, but an extent is {}; split "
                        "the consumer's loop by a "
                        "constant, or use compute_root",
                        node.name, tensordsl::to_string(extent)));
      }
      tile.extents.push_back(Expr(static_cast<int>(std::max<std::int64_t>(size, 0))));
    }
    allocated_[node.name] = tile;
    const Stmt body = run(node.body[0], scope);
    return make_allocate(node.name, node.type, {stored_elements(node.name, tile)}, node.memory, body);
  }

  const StoredTensor& at(const std::string& name) const {
    if (const auto it = allocated_.find(name); it != allocated_.end()) return it->second;
    const auto it = tensors_.find(name);
    if (it == tensors_.end())
      throw InternalError(fmt::format("convert_addresses: nothing is known of {}", name));
    return it->second;
  }

  const StoredTensors& tensors_;
  StoredTensors allocated_;  // inside the kernel, with the extents that they have there
};

}  // namespace

Expr stored_elements(const std::string& name, const StoredTensor& tensor) {
  std::int64_t least = 1;
  for (const Expr& e : tensor.layout.stored_extents(tensor.extents))
    least = saturating_mul(least, std::max<std::int64_t>(0, bounds_of(e, {}).low));
  if (least <= kMaxElements) return tensor.elements();
  throw ScheduleError(
      fmt::format("{}: {} elements are more than a 32-bit index reaches, which is {}; split the tensor", name,
                  least == INT64_MAX ? "2^63 or more" : fmt::format("{}", least), kMaxElements));
}

KernelBody convert_addresses(const KernelBody& kernel, const PassContext& context) {
  std::map<std::string, Expr> last;
  for (std::size_t d = 0; d < kernel.groups.size(); ++d) last.emplace(kBlockNames[d], kernel.groups[d] - 1);
  KernelBody result = kernel;
  result.body =
      with_linear_addresses(kernel.body, context.tensors.stored, bounds_of_indices(kernel, context), last);
  return result;
}

Stmt with_linear_addresses(const Stmt& stmt, const StoredTensors& tensors, const Bounds& bounds,
                           const std::map<std::string, Expr>& last) {
  return AddressConverter(tensors).run(stmt, Scope{bounds, last});
}

}  // namespace tensordsl::lower

#include "lower/passes/memory/flatten_storage.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>

#include "base/index_limit.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/largest_value.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr linear_index(const StoredTensor& tensor, const std::vector<Expr>& indices) {
  const auto extents = tensor.layout.stored_extents(tensor.extents);
  const auto stored = tensor.layout.stored_indices(indices);
  if (stored.empty()) return Expr(0);  // a tensor without dimensions has one element
  Expr at = stored[0];
  for (std::size_t i = 1; i < stored.size(); ++i) at = at * extents[i] + stored[i];
  return at;
}

/// Returns the linear index in a buffer; in an image the coordinates of the texel, outermost first, and the
/// element in it.
std::vector<Expr> address(const StoredTensor& tensor, const std::vector<Expr>& indices) {
  if (!tensor.image) return {linear_index(tensor, indices)};
  std::vector<Expr> coordinates = tensor.layout.group_indices(indices, tensor.extents);
  if (coordinates.size() == static_cast<std::size_t>(coordinates_of(*tensor.image)))
    coordinates.emplace_back(0);
  return coordinates;
}

class AddressConverter {
 public:
  explicit AddressConverter(const StoredTensors& tensors) : tensors_(tensors) {}

  Stmt run(const Stmt& stmt, const LoopScope& scope) {
    if (stmt->kind == StmtKind::Allocate) return run_allocate(*stmt, scope);
    if (stmt->kind == StmtKind::Store) {
      std::vector<Expr> indices;
      for (const Expr& index : stmt->indices()) indices.push_back(run(index));
      return make_store(stmt->name, run(stmt->value()), address(at(stmt->name), indices));
    }
    const LoopScope inner = stmt->kind == StmtKind::For ? with_loop(scope, *stmt) : scope;
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

  Stmt run_allocate(const StmtNode& node, const LoopScope& scope) {
    // Allocations that passes made are row-major.
    const auto planned = tensors_.find(node.name);
    const Layout layout = planned != tensors_.end()
                              ? planned->second.layout
                              : Layout::row_major(static_cast<int>(node.extents().size()));
    StoredTensor tile{node.type, {}, layout};
    for (const Expr& extent : node.extents()) {
      const std::int64_t size = largest_value(extent, scope);
      if (size > INT32_MAX / 2) {
        throw ScheduleError(
            fmt::format("{}: storage inside a kernel needs a constant size, but an extent is {}; split the "
                        "consumer's loop by a constant, or use compute_root",
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
    if (it == tensors_.end()) throw InternalError(fmt::format("flatten_storage: unknown tensor {}", name));
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
  throw ScheduleError(fmt::format("{}: {} elements exceed the limit of a 32-bit index, {}; split the tensor",
                                  name, least == INT64_MAX ? "2^63 or more" : fmt::format("{}", least),
                                  kMaxElements));
}

KernelBody flatten_storage(const KernelBody& kernel, const PassContext& context) {
  std::map<std::string, Expr> last;
  for (std::size_t d = 0; d < kernel.groups.size(); ++d) last.emplace(kBlockNames[d], kernel.groups[d] - 1);
  KernelBody result = kernel;
  result.body =
      with_linear_addresses(kernel.body, context.tensors.stored, bounds_of_indices(kernel, context), last);
  return result;
}

Stmt with_linear_addresses(const Stmt& stmt, const StoredTensors& tensors, const Bounds& bounds,
                           const std::map<std::string, Expr>& last) {
  return AddressConverter(tensors).run(stmt, LoopScope{bounds, last});
}

}  // namespace tensordsl::lower

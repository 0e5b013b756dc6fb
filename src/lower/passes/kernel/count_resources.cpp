#include "lower/passes/kernel/count_resources.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "ir/nodes/sub_groups.h"
#include "lower/passes/kernel/live_registers.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

std::int64_t flops_of_call(const ExprNode& call) {
  const SubGroupOperation* operation = find_sub_group_operation(call.name);
  if (!operation || operation->kind != SubGroupOperationKind::Multiply) return call.type.lanes;
  return 2 * kMatrixTile.rows * kMatrixTile.columns * kMatrixTile.depth / kMatrixTile.lanes;
}

std::int64_t flops_of(const Expr& expr) {
  std::int64_t flops = 0;
  visit(expr, [&](const Expr& e) {
    if (!e.type().is_float())
      return e->kind == ExprKind::Cast || e.type().is_bool() || !e.type().is_integer();
    if (is_arithmetic(e->kind)) flops += e.type().lanes;
    if (e->kind == ExprKind::Intrinsic) flops += flops_of_call(*e);
    return e->kind != ExprKind::Load;
  });
  return flops;
}

/// Returns the operations of one work-item; empty if a loop's extent is not constant.
std::optional<std::int64_t> flops_of(const Stmt& stmt) {
  std::int64_t flops = 0;
  for (const Expr& e : stmt->exprs) flops += flops_of(e);
  std::int64_t largest = 0;
  for (const Stmt& s : stmt->body) {
    const auto inner = flops_of(s);
    if (!inner) return std::nullopt;
    largest = std::max(largest, *inner);
    if (stmt->kind != StmtKind::If) flops += *inner;
  }
  if (stmt->kind == StmtKind::If) return flops + largest;
  if (stmt->kind != StmtKind::For) return flops;
  const std::int64_t* extent = as_int(stmt->extent());
  if (!extent) return flops == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  return flops * *extent;
}

/// Returns the bytes of a value of one work-item: f16 is held as f32, unless the kernel computes in f16.
std::int64_t bytes_of_element(const StmtNode& allocation, bool half_arithmetic) {
  const bool is_widened =
      allocation.type.is_float() && allocation.memory != Memory::Local && !half_arithmetic;
  return (is_widened ? Float(32) : allocation.type).bytes() * allocation.type.lanes;
}

/// Bytes of tiles in local memory, by name: copies of a loop share tiles of the same name.
using Tiles = std::map<std::string, std::int64_t>;

/// Storage of one work-item, where one branch of a test counts, and the tiles of its group.
void add_storage(const Stmt& stmt, bool half_arithmetic, KernelResources& resources, Tiles& tiles) {
  if (stmt->kind == StmtKind::If) {
    KernelResources most = resources;
    for (const Stmt& branch : stmt->body) {
      KernelResources with_branch = resources;
      add_storage(branch, half_arithmetic, with_branch, tiles);
      most.private_bytes = std::max(most.private_bytes, with_branch.private_bytes);
      most.register_bytes = std::max(most.register_bytes, with_branch.register_bytes);
    }
    resources = most;
    return;
  }
  if (stmt->kind == StmtKind::Allocate) {
    const std::int64_t* elements = as_int(stmt->extents()[0]);
    const std::int64_t bytes = (elements ? *elements : 0) * bytes_of_element(*stmt, half_arithmetic);
    if (stmt->memory == Memory::Private) resources.private_bytes += bytes;
    if (stmt->memory == Memory::Register) resources.register_bytes += bytes;
    if (stmt->memory == Memory::Local) tiles[stmt->name] = std::max(tiles[stmt->name], bytes);
  }
  for (const Stmt& s : stmt->body) add_storage(s, half_arithmetic, resources, tiles);
}

}  // namespace

KernelResources count_resources(const LoweredKernel& kernel, bool gathers_reads) {
  KernelResources resources;
  if (!kernel.body.defined()) return resources;
  Tiles tiles;
  add_storage(kernel.body, kernel.half_arithmetic, resources, tiles);
  for (const auto& [name, bytes] : tiles) resources.local_bytes += bytes;
  resources.live_registers = live_registers(kernel, gathers_reads);
  std::int64_t items = 1;
  for (const int size : kernel.group_size) items *= size;
  for (const Expr& g : kernel.groups) {
    const std::int64_t* count = as_int(g);
    if (!count) return resources;
    items *= *count;
  }
  resources.flops = flops_of(kernel.body).value_or(0) * items;
  return resources;
}

}  // namespace tensordsl::lower

#include "schedules/window/stencil_rows.h"

#include <algorithm>
#include <map>

#include "definitions/written_out_nodes.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "ir/nodes/linear_form.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::schedules {
namespace {

using definitions::StoredGroup;

/// The most expression nodes of all rows of a work-item: beyond that it runs out of registers.
constexpr std::int64_t kMostNodes = 4000;
constexpr int kRows = 4;

/// The dimension of rows, and that along a row, in memory order.
struct RowDims {
  int row = 0, column = 0;
};

RowDims row_dims(const StoredGroup& group) {
  const std::vector<int> order = memory_order(group.stored[0].layout);
  return {order[order.size() - 2], order.back()};
}

std::int64_t stored_extent(const StoredGroup& group, int dim) {
  return likely_shape(group.stored[0])[static_cast<std::size_t>(dim)];
}

/// True if the two reads differ by a constant along a dimension of theirs that depends on `row`.
bool are_rows_apart(const Expr& a, const Expr& b, const std::string& row) {
  for (std::size_t d = 0; d < a->operands.size(); ++d) {
    if (!ir::uses_var((*a)[d], row)) continue;
    const ir::LinearForm distance = ir::LinearForm((*b)[d]) - ir::LinearForm((*a)[d]);
    if (distance.is_constant() && !distance.is_zero()) return true;
  }
  return false;
}

/// True if a definition reads a Func or Input at two rows.
bool reads_neighboring_rows(const Func& func, const std::string& row) {
  std::map<const ir::Function*, std::vector<Expr>> reads;
  for (const Expr& value : func.contents().definitions[0].values) {
    ir::visit(value, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call) reads[e->function.get()].push_back(e);
      return true;
    });
  }
  return std::ranges::any_of(reads, [&](const auto& of_one) {
    const std::vector<Expr>& calls = of_one.second;
    return std::ranges::any_of(calls, [&](const Expr& a) {
      return std::ranges::any_of(calls, [&](const Expr& b) { return are_rows_apart(a, b, row); });
    });
  });
}

/// Returns the Funcs computed in the output, producers before readers, the output last.
std::vector<Func> funcs_of(const StoredGroup& group) {
  std::vector<Func> funcs;
  for (const auto* some : {&group.prologue, &group.anchors, &group.epilogue})
    funcs.insert(funcs.end(), some->begin(), some->end());
  std::erase_if(funcs, [&](const Func& func) { return func.shared() == group.outputs[0].shared(); });
  funcs.push_back(group.outputs[0]);
  return funcs;
}

/// Counts the nodes of the output's expression with inlined Funcs written out.
std::int64_t nodes_of(const StoredGroup& group) {
  return definitions::written_out_nodes(
             funcs_of(group), [](const Func&) { return true; }, 2 * kMostNodes)
      .back();
}

}  // namespace

bool applies_stencil_rows(const StoredGroup& group, const Target&) {
  if (group.outputs.size() != 1 || group.outputs[0].rank() < 2 || !group.kept.empty()) return false;
  const std::vector<Func> funcs = funcs_of(group);
  if (std::ranges::any_of(funcs, [](const Func& func) { return func.updates() > 0; })) return false;
  const RowDims dims = row_dims(group);
  if (stored_extent(group, dims.row) < 2 || kRows * nodes_of(group) > kMostNodes) return false;
  return std::ranges::any_of(funcs, [&](const Func& func) {
    if (func.rank() < 2) return false;
    const bool is_output = func.shared() == group.outputs[0].shared();
    return reads_neighboring_rows(func, dim_of(func, is_output ? dims.row : func.rank() - 2).name());
  });
}

Space stencil_rows_space(const StoredGroup& group, const Target& target) {
  const RowDims dims = row_dims(group);
  const std::int64_t width = stored_extent(group, dims.column);
  const int lanes = is_known(group.stored[0], dims.column) ? power_dividing(width, target.vector_width) : 1;
  const int most_rows = static_cast<int>(std::min<std::int64_t>(16, kMostNodes / nodes_of(group)));
  return {{{"rows", powers_of_two(most_rows)}, {"lanes", powers_of_two(16)}, {"items", powers_of_two(256)}},
          {{"rows", power_up_to(stored_extent(group, dims.row), kRows)},
           {"lanes", lanes},
           {"items", power_up_to(width / lanes, target.group_items)}}};
}

void apply_stencil_rows(const StoredGroup& group, const Point& point, const Target& target) {
  Func out = group.outputs[0];
  const RowDims dims = row_dims(group);
  const Var rows("rows"), row("row"), io("io"), iv("iv"), vectors("vectors"), item("item");
  out.split(dim_of(out, dims.row), rows, row, point["rows"], Tail::Guard);
  out.split(dim_of(out, dims.column), io, iv, point["lanes"], Tail::Guard);
  std::vector<Var> outer;
  std::int64_t groups = (stored_extent(group, dims.row) + point["rows"] - 1) / point["rows"];
  for (const int dim : memory_order(group.stored[0].layout)) {
    if (dim == dims.row || dim == dims.column) continue;
    outer.push_back(dim_of(out, dim));
    groups *= stored_extent(group, dim);
  }
  std::vector<Var> loops = outer;
  for (const Var& inner : {rows, io, row, iv}) loops.push_back(inner);
  out.reorder(loops);
  out.unroll(row);
  if (point["lanes"] > 1) out.vectorize(iv);
  // Without work-items a group has a whole row of vectors, if that leaves enough groups.
  std::vector<Var> blocks{rows};
  if (point["items"] > 1) {
    out.split(io, vectors, item, point["items"], Tail::Guard).gpu_threads(item);
    blocks.insert(blocks.begin(), vectors);
  } else if (groups < std::int64_t{4} * target.compute_units) {
    blocks.insert(blocks.begin(), io);
  }
  if (!outer.empty()) blocks.push_back(fuse_all(out, outer, "outer"));
  run_as_grid(out, blocks);
}

}  // namespace tensordsl::schedules

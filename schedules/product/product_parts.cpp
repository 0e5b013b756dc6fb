#include "schedules/product/product_parts.h"

#include <algorithm>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/factor_reads.h"
#include "schedules/reduce/rows.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"

namespace tensordsl::schedules {
namespace {

using classify::Access;
using classify::Class;
using classify::Classification;
using definitions::GroupOperand;
using definitions::StoredGroup;

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 0;
}

/// Returns the only index of a read that is `axis`; -1 if there is none, or other indices depend on the axis
/// too.
int dim_of_axis(const Access& access, const std::string& axis) {
  int found = -1;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    if (access.indices[d].coefficient_of(axis) == 0) continue;
    if (found >= 0 || !access.indices[d].is_axis(axis)) return -1;
    found = static_cast<int>(d);
  }
  return found;
}

/// Returns the elements of the input from one index of the dimension `name` to the next; 0 if the read does
/// not depend on it.
std::int64_t stride_of(const Access& access, const std::string& name) {
  std::int64_t stride = 0;
  for (const classify::IndexMap& index : access.indices)
    stride = std::max(stride, index.coefficient_of(name));
  return stride;
}

/// The Func of the group that is read, if it is an Input in a buffer or one of the prologue.
std::optional<Func> func_of(const StoredGroup& group, const Access& access) {
  if (const GroupOperand* operand = operand_of(group, access))
    return operand->stored.image ? std::nullopt : std::optional(operand->input);
  const Func* made = maker_of(group, access);
  return made ? std::optional(*made) : std::nullopt;
}

/// True if dimension `dim` of the tensor that `access` reads is contiguous in memory; for a Func of the
/// prologue, if that dimension follows the contiguous one of the operand that it reads.
bool lies_along(const StoredGroup& group, const Access& access, int dim) {
  if (const GroupOperand* operand = operand_of(group, access))
    return innermost_dim(operand->stored.layout) == dim;
  const std::string& name = access.tensor->dims[static_cast<std::size_t>(dim)];
  for (const Access& read : group.class_of(*access.tensor).reads) {
    const GroupOperand* operand = operand_of(group, read);
    if (!operand) continue;
    const int innermost = innermost_dim(operand->stored.layout);
    return read.indices[static_cast<std::size_t>(innermost)].coefficient_of(name) == 1;
  }
  return true;
}

std::int64_t reduction_extent(const ir::Definition& update, const std::string& axis) {
  return *ir::as_int(std::ranges::find(update.domain, axis, &ir::ReductionAxis::name)->extent);
}

/// The axis of a window without gaps that slides along the dimension `pixel`.
std::string window_of(const Classification& sum, const std::string& pixel) {
  const auto window = std::ranges::find_if(
      sum.windows, [&](const classify::Window& w) { return w.dim == pixel && w.dilation == 1; });
  return window == sum.windows.end() ? "" : window->axis;
}

/// Returns the axis of the domain along which the input is contiguous, of those that are in no window.
std::string depth_of(const StoredGroup& group, const Classification& sum, const Access& input) {
  for (const std::string& axis : sum.roles->k) {
    const int dim = dim_of_axis(input, axis);
    if (dim >= 0 && lies_along(group, input, dim)) return axis;
  }
  return "";
}

}  // namespace

std::optional<ProductParts> product_parts(const StoredGroup& group) {
  if (group.anchors.size() != 1 || group.outputs.size() != 1 || group.epilogue.empty()) return std::nullopt;
  ProductParts parts;
  parts.out = group.outputs[0];
  parts.sum = group.anchors[0];
  const StoredTensor& stored = group.stored[0];
  const Classification& sum = group.class_of(parts.sum);
  if (sum.kind != Class::Contraction || !sum.roles || !sum.roles->group.empty() || sum.reads.size() != 2 ||
      parts.sum.updates() != 1 || parts.sum.rank() != parts.out.rank() || stored.image)
    return std::nullopt;
  const auto rows = rows_of(group);
  if (!rows || rows->are_shared()) return std::nullopt;
  const ir::Definition& update = parts.sum.contents().definitions.back();
  if (update.predicate.defined()) return std::nullopt;

  // Sizes, which must be numbers, and not 0.
  const std::vector<int> order = memory_order(stored.layout);
  const std::vector<std::int64_t> extents = likely_shape(stored);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (!is_known(stored, static_cast<int>(d)) || extents[d] < 1) return std::nullopt;
  }
  std::int64_t steps = 1;
  for (const ir::ReductionAxis& axis : update.domain) {
    const std::int64_t* extent = ir::as_int(axis.extent);
    if (!extent || *extent < 1) return std::nullopt;
    steps *= *extent;
  }

  // The factors.
  const auto name_of = [&](int dim) { return parts.sum.contents().dims[static_cast<std::size_t>(dim)]; };
  parts.channel = order.back();
  const std::string channel = name_of(parts.channel);
  if (contains(sum.roles->batch, channel)) return std::nullopt;
  const bool is_of_b = contains(sum.roles->n, channel);
  const Access &weights = is_of_b ? sum.roles->b : sum.roles->a,
               &input = is_of_b ? sum.roles->a : sum.roles->b;
  const std::vector<std::string>& shared = is_of_b ? sum.roles->m : sum.roles->n;
  if (input.kind() != classify::IndexKind::Affine || weights.kind() != classify::IndexKind::Affine ||
      input.tensor == weights.tensor)
    return std::nullopt;
  const std::optional<Func> input_func = func_of(group, input), weights_func = func_of(group, weights);
  if (!input_func || !weights_func) return std::nullopt;
  parts.input = *input_func;
  parts.weights = *weights_func;
  parts.has_constant_weights = is_of_constants(group, weights);
  parts.weights_channel = dim_of_axis(weights, channel);
  if (parts.weights_channel < 0) return std::nullopt;
  if (!parts.has_constant_weights && !lies_along(group, weights, parts.weights_channel)) {
    parts.strided_weights = strided_weights(group, sum, channel);
    if (!parts.strided_weights || parts.strided_weights->batches > 1) return std::nullopt;
  }
  parts.depth = depth_of(group, sum, input);
  if (!parts.depth.empty()) {
    parts.input_depth = dim_of_axis(input, parts.depth);
    parts.weights_depth = dim_of_axis(weights, parts.depth);
    if (parts.weights_depth < 0) return std::nullopt;
    parts.problem.depth = reduction_extent(update, parts.depth);
  }
  parts.problem.taps = steps / parts.problem.depth;

  // The dimensions that share weights, in the order of memory: the innermost has a tile's pixels.
  parts.problem.channels = extents[static_cast<std::size_t>(parts.channel)];
  std::vector<int> rest;
  for (std::size_t i = order.size() - 1; i-- > 0;) {
    const std::int64_t extent = extents[static_cast<std::size_t>(order[i])];
    const bool may_share = extent > 1 && contains(shared, name_of(order[i]));
    if (may_share && !parts.pixel) {
      parts.pixel = order[i];
      parts.problem.pixels = extent;
      parts.problem.stride = stride_of(input, name_of(order[i]));
      parts.window = window_of(sum, name_of(order[i]));
    } else if (may_share && !parts.row) {
      parts.row = order[i];
      parts.problem.rows = extent;
      parts.problem.row_stride = stride_of(input, name_of(order[i]));
    } else {
      rest.insert(rest.begin(), order[i]);
      parts.problem.others *= extent;
    }
  }
  parts.others = rest;
  return parts;
}

}  // namespace tensordsl::schedules

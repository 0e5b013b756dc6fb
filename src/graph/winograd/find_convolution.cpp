#include "graph/winograd/find_convolution.h"

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::graph {

using namespace ir;
using classify::Classification;

namespace {

std::int64_t extent_value(const Expr& extent) {
  const std::int64_t* value = as_int(simplify(extent));
  return value ? *value : 0;
}

bool find_windows(const Classification& kind, Convolution& found) {
  for (std::size_t i = 0; i < 2; ++i) {
    const classify::Window& window = kind.windows[i];
    if (extent_value(window.extent) != kWinogradTaps || window.stride != 1 || window.dilation != 1)
      return false;
    found.dim[i] = window.dim;
    found.tap[i] = window.axis;
  }
  return found.dim[0] != found.dim[1];
}

}  // namespace

std::optional<Convolution> ConvolutionFinder::find(const definitions::FusedGroup& group) const {
  if (group.anchors.size() != 1 || group.outputs.size() != 1) return std::nullopt;
  const Func& sum = group.anchors[0];
  if (sum.updates() != 1 || sum.contents().is_tuple() || sum.type() != Float(32)) return std::nullopt;
  const Classification kind = classify::classify(sum.contents());
  if (!kind.roles || kind.windows.size() != 2 || kind.roles->k.size() != 1 || kind.roles->n.size() != 1)
    return std::nullopt;
  if (!kind.roles->batch.empty() || !kind.roles->group.empty()) return std::nullopt;
  Convolution found;
  found.sum = sum;
  found.output = kind.roles->n[0];
  if (!find_windows(kind, found) || !find_channels(kind, found) || !find_weights(kind, found) ||
      !find_extents(group, found))
    return std::nullopt;
  return found;
}

bool ConvolutionFinder::find_channels(const Classification& kind, Convolution& found) const {
  const Definition& update = found.sum.contents().definitions[1];
  if (update.domain.size() != 3 || update.predicate.defined()) return false;
  for (const ReductionAxis& axis : update.domain) {
    if (!is_const(simplify(axis.min), 0)) return false;
    if (axis.name == kind.roles->k[0]) found.channel = axis;
  }
  return is_const(simplify(found.sum.contents().definitions[0].value()), 0) && !found.channel.name.empty();
}

/// The constant that is read, or that the read Func takes its offset from.
std::optional<std::size_t> ConvolutionFinder::constant_of(const classify::Access& read) const {
  if (!read.tensor) return std::nullopt;
  if (const auto tensor = funcs_.tensor_of(*read.tensor)) return tensor;
  const Expr value = read.tensor->definitions.size() == 1 ? read.tensor->definitions[0].value() : Expr();
  if (!value.defined() || value->kind != ExprKind::Sub || (*value)[0]->kind != ExprKind::Call)
    return std::nullopt;
  const Expr& call = (*value)[0];
  const auto tensor = call->function ? funcs_.tensor_of(*call->function) : std::nullopt;
  return tensor && graph_.tensors[*tensor].is_exact ? tensor : std::nullopt;
}

/// Needs: windows and channels. Others may read the weights too.
bool ConvolutionFinder::find_weights(const Classification& kind, Convolution& found) const {
  const classify::Access& read = kind.roles->b;
  const auto tensor = constant_of(read);
  if (!tensor || !graph_.tensors[*tensor].constant || graph_.is_read_by_host(*tensor)) return false;
  const definitions::DefinedTensor& weights = graph_.tensors[*tensor];
  if (weights.stored_as && weights.stored_as != Int(8) && !weights.is_exact) return false;
  if (read.indices.size() != 4) return false;
  const std::array names{found.output, found.channel.name, found.tap[0], found.tap[1]};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place =
        std::ranges::find_if(read.indices, [&](const auto& index) { return index.is_axis(names[i]); });
    if (place == read.indices.end()) return false;
    found.at[i] = static_cast<std::size_t>(place - read.indices.begin());
  }
  found.weights = *tensor;
  if (read.tensor != weights.func.shared()) found.integers = read.tensor;
  const Expr& value = found.sum.contents().definitions[1].value();
  if (value->kind != ExprKind::Add) return false;
  int times = 0;
  for (const Expr& product : value->operands) {
    if (product->kind != ExprKind::Mul) continue;
    for (std::size_t i = 0; i < 2; ++i) {
      const Expr& factor = (*product)[i];
      if (factor->kind != ExprKind::Call || factor->function != read.tensor) continue;
      found.input = (*product)[1 - i];
      ++times;
    }
  }
  return times == 1;
}

/// Needs: weights.
bool ConvolutionFinder::find_extents(const definitions::FusedGroup& group, Convolution& found) const {
  const std::size_t tensor = group.stored_tensors[0];
  const std::vector<Expr> extents = graph_.tensors[tensor].extents();
  const std::vector<std::string>& dims = found.sum.contents().dims;
  if (dims.size() != extents.size()) return false;
  for (const Func& func : group.epilogue) {
    if (func.contents().dims.size() != dims.size()) return false;
  }
  const auto place = [&](const std::string& dim) {
    return static_cast<std::size_t>(std::ranges::find(dims, dim) - dims.begin());
  };
  const std::size_t channels = place(found.output);
  if (schedules::memory_order(storage_.layouts[tensor]).back() != static_cast<int>(channels)) return false;
  const std::vector<std::int64_t>& shape = graph_.tensors[found.weights].constant->shape();
  found.problem = {extent_value(extents[place(found.dim[0])]), extent_value(extents[place(found.dim[1])]),
                   extent_value(found.channel.extent), extent_value(extents[channels])};
  return found.problem.rows > 0 && found.problem.columns > 0 && shape[found.at[0]] == found.problem.outputs &&
         shape[found.at[1]] == found.problem.inputs && shape[found.at[2]] == kWinogradTaps &&
         shape[found.at[3]] == kWinogradTaps;
}

}  // namespace tensordsl::graph

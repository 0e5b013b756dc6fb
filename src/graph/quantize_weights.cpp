#include "graph/quantize_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "definitions/redirector.h"
#include "dsl/make_func.h"
#include "graph/renumber_tensors.h"
#include "ir/expr_node.h"
#include "ir/simplify.h"
#include "schedule/schedule.h"

namespace tensordsl {

using namespace ir;

namespace {

constexpr std::int64_t kFewestOfScale = 16, kFewest = 4096;
constexpr double kLargest = 127;

/// A sum of products with a constant, or what reads rows of one.
struct Use {
  std::size_t weights = 0;
  std::vector<std::size_t> dims;  ///< of the weights, that dimensions of the sum, or data, index
  std::vector<std::string> axes;  ///< of the sum, these
};

/// Of a table: which dimensions data index; nothing if the others are indexed by more than an axis.
std::optional<std::vector<std::size_t>> chosen_dims(const classify::Access& access, const Function& reader) {
  std::vector<std::size_t> dims;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const classify::IndexMap& index = access.indices[d];
    if (index.kind == classify::IndexKind::DataDependent) {
      dims.push_back(d);
      continue;
    }
    const auto is_index = [&](const std::string& dim) { return index.is_axis(dim); };
    if (std::ranges::none_of(reader.dims, is_index)) return std::nullopt;
  }
  return dims.empty() ? std::nullopt : std::optional(dims);
}

/// Which dimensions of the weights have a scale of their own; nothing if one is indexed by more than an axis.
std::optional<Use> use_of(const classify::Access& access, const Function& sum) {
  Use use;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const classify::IndexMap& index = access.indices[d];
    const auto axis =
        std::ranges::find_if(sum.dims, [&](const std::string& dim) { return uses_var(index.index, dim); });
    if (axis == sum.dims.end()) continue;
    if (!index.is_axis(*axis)) return std::nullopt;
    use.dims.push_back(d);
    use.axes.push_back(*axis);
  }
  return use;
}

bool is_finite(const Buffer& constant) {
  return std::ranges::all_of(constant.as<float>(), [](float value) { return std::isfinite(value); });
}

class Quantizer {
 public:
  Quantizer(DefinitionGraph graph, PassNotes* notes)
      : graph_(std::move(graph)), notes_(notes), funcs_(graph_) {}

  DefinitionGraph run() {
    find();
    if (uses_.empty()) return std::move(graph_);
    std::set<std::size_t> weights;
    for (const auto& [sum, use] : uses_) weights.insert(use.weights);
    DefinitionGraph result = graph_;
    result.tensors.clear();
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      DefinedTensor tensor = graph_.tensors[i];
      if (weights.contains(i)) result.tensors.push_back(quantize(i, tensor));
      for (const Func& func : funcs_.funcs_of(i)) rebuild(func);
      tensor.func = redirector_.now(tensor.func);
      place.push_back(result.tensors.size());
      result.tensors.push_back(std::move(tensor));
    }
    renumber_tensors(result, place);
    return result;
  }

 private:
  void find() {
    std::map<std::size_t, std::vector<std::pair<const Function*, Use>>> by_weights;
    std::vector<std::size_t> readers(graph_.tensors.size());  // Funcs that read each tensor
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      for (const Func& func : funcs_.funcs_of(i)) {
        for (const std::size_t read : funcs_.reads_of({func})) ++readers[read];
        const auto use = use_in(func);
        if (use) by_weights[use->weights].emplace_back(&func.contents(), *use);
      }
    }
    for (const auto& [weights, uses] : by_weights) {
      const bool is_alike = std::ranges::all_of(
          uses, [&](const auto& use) { return use.second.dims == uses.front().second.dims; });
      if (!is_alike || readers[weights] != uses.size()) continue;
      for (const auto& [sum, use] : uses) uses_.emplace(sum, use);
    }
  }

  std::optional<Use> use_in(const Func& func) const {
    return func.updates() == 0 ? table_in(func) : product_in(func);
  }

  /// Whether it may be integers, with a scale for each place along `use.dims`.
  bool may_be_integers(const Use& use) const {
    const DefinedTensor& tensor = graph_.tensors[use.weights];
    return tensor.constant && !graph_.is_read_by_host(use.weights) && tensor.constant->type() == Float(32) &&
           tensor.constant->elements() >= kFewest && is_finite(*tensor.constant) &&
           tensor.constant->elements() / scales_of(use) >= kFewestOfScale;
  }

  std::optional<Use> table_in(const Func& func) const {
    if (func.is_input() || func.type() != Float(32) || func.contents().is_tuple()) return std::nullopt;
    std::optional<Use> found;
    for (const classify::Access& access : classify::accesses_of(func.contents().definitions[0].value())) {
      const auto tensor = access.tensor ? funcs_.tensor_of(*access.tensor) : std::nullopt;
      if (!tensor || !graph_.tensors[*tensor].constant) continue;
      const auto dims = chosen_dims(access, func.contents());
      if (!dims) continue;
      const Use use{*tensor, *dims, {}};
      const bool is_other = found && (found->weights != use.weights || found->dims != use.dims);
      if (is_other) return std::nullopt;
      if (may_be_integers(use)) found = use;
    }
    return found;
  }

  std::optional<Use> product_in(const Func& func) const {
    if (func.is_input() || func.updates() != 1 || func.type() != Float(32)) return std::nullopt;
    if (!is_const(simplify(func.contents().definitions[0].value()), 0)) return std::nullopt;
    const classify::Classification kind = classify::classify(func.contents());
    if (kind.kind != classify::Class::Contraction || !kind.roles || kind.reads.size() != 2)
      return std::nullopt;
    for (const classify::Access* access : {&kind.roles->b, &kind.roles->a}) {
      const auto tensor = access->tensor ? funcs_.tensor_of(*access->tensor) : std::nullopt;
      if (!tensor || !graph_.tensors[*tensor].constant) continue;
      auto use = use_of(*access, func.contents());
      if (!use || use->dims.empty()) continue;
      use->weights = *tensor;
      if (may_be_integers(*use)) return use;
    }
    return std::nullopt;
  }

  std::int64_t scales_of(const Use& use) const {
    std::int64_t count = 1;
    for (const std::size_t d : use.dims) count *= graph_.tensors[use.weights].constant->shape()[d];
    return count;
  }

  const Use& use_of_weights(std::size_t weights) const {
    return std::ranges::find_if(uses_, [&](const auto& use) { return use.second.weights == weights; })
        ->second;
  }

  /// `tensor` is stored as integers from now on. Returns their scales.
  DefinedTensor quantize(std::size_t weights, DefinedTensor& tensor) {
    const Use& use = use_of_weights(weights);
    QuantizedWeights quantized = quantized_weights(*tensor.constant, use.dims);
    tensor.constant = std::make_shared<const Buffer>(std::move(quantized.integers));
    // Winograd's way makes others of those of convolutions; matrices may be large.
    if (tensor.constant->shape().size() > 2)
      tensor.exact = std::make_shared<const Buffer>(std::move(quantized.exact));
    tensor.stored_as = Int(8);
    std::vector<Expr> extents;
    for (const std::int64_t extent : quantized.scales.shape()) extents.emplace_back(static_cast<int>(extent));
    const std::int64_t count = quantized.scales.elements();
    DefinedTensor made{tensor.name + "_scale", Input(tensor.func.name() + "_scale", Float(32), extents),
                       extents, std::make_shared<const Buffer>(std::move(quantized.scales)), tensor.origin};
    made.stored_as = Float(32);
    scales_.emplace(weights, made.func);
    if (notes_) notes_->push_back({tensor.name, fmt::format("is i8, with {} scales", count), {made.name}});
    return made;
  }

  void rebuild(const Func& func) {
    const auto use = uses_.find(&func.contents());
    redirector_.update(func);
    if (use == uses_.end()) return;
    const Func sum = redirector_.now(func);
    const std::vector<std::string>& dims = sum.contents().dims;
    if (sum.updates() == 0) {
      redirector_.redirect(func, pure_func(sum.name(), dims, with_scales(sum, use->second)));
      return;
    }
    redirector_.redirect(func,
                         pure_func(sum.name() + "_scaled", dims,
                                   read_of(sum, vars_of(dims)) *
                                       read_of(scales_.at(use->second.weights), vars_of(use->second.axes))));
  }

  /// Each read of the table times the scale of its row.
  Expr with_scales(const Func& reader, const Use& use) const {
    const Func table = graph_.tensors[use.weights].func, &scales = scales_.at(use.weights);
    return rewrite(reader.contents().definitions[0].value(), [&](const Expr& e) {
      if (e->kind != ExprKind::Call || e->function != table.shared()) return e;
      std::vector<Expr> row;
      for (const std::size_t d : use.dims) row.push_back(e->operands[d]);
      return e * read_of(scales, row);
    });
  }

  DefinitionGraph graph_;
  PassNotes* notes_;
  TensorFuncs funcs_;
  Redirector redirector_;
  std::map<const Function*, Use> uses_;  // by the sum
  std::map<std::size_t, Func> scales_;   // by the weights
};

}  // namespace

QuantizedWeights quantized_weights(const Buffer& weights, const std::vector<std::size_t>& dims) {
  std::vector<std::int64_t> shape;
  for (const std::size_t d : dims) shape.push_back(weights.shape()[d]);
  QuantizedWeights result{Buffer(Float(32), weights.shape()), Buffer(Float(32), weights.shape()),
                          Buffer(Float(32), shape)};
  const std::span<const float> from = weights.as<float>();
  const std::span<float> scale = result.scales.as<float>(), to = result.integers.as<float>(),
                         exact = result.exact.as<float>();
  std::vector<std::size_t> place(from.size());  // of each weight's scale
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t rest = i, stride = 1;
    for (std::size_t d = weights.shape().size(); d-- > 0;) {
      const auto extent = static_cast<std::size_t>(weights.shape()[d]);
      if (std::ranges::find(dims, d) != dims.end()) {
        place[i] += rest % extent * stride;
        stride *= extent;
      }
      rest /= extent;
    }
    scale[place[i]] = std::max(scale[place[i]], std::abs(from[i]));
  }
  for (float& s : scale) s = s > 0 ? std::max(static_cast<float>(s / kLargest), FLT_MIN) : 1.0F;
  for (std::size_t i = 0; i < from.size(); ++i) {
    exact[i] = from[i] / scale[place[i]];
    to[i] = std::clamp(std::round(exact[i]), -127.0F, 127.0F);
  }
  return result;
}

DefinitionGraph quantize_weights(DefinitionGraph graph, WeightPrecision precision, PassNotes* notes) {
  if (precision == WeightPrecision::Model) return graph;
  return Quantizer(std::move(graph), notes).run();
}

}  // namespace tensordsl

#include "graph/rewrite/quantize_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "dsl/make_func.h"
#include "graph/rewrite/graph_rewriter.h"
#include "graph/rewrite/pack_weights.h"
#include "graph/rewrite/weight_use.h"
#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

using namespace ir;

namespace {

constexpr std::int64_t kFewestOfScale = 16, kFewest = 4096;
constexpr double kLargest = 127;
/// Sums shorter than half of a group have too many scales. Beyond these, weights have a scale that is not an
/// f16, or one with fewer digits.
constexpr std::int64_t kFewestPacked = kPackedGroup / 2;
constexpr float kLargestPacked = 400'000, kSmallestPacked = 1e-3F;

/// A use of a constant: by a sum of products, or by a reader of its rows.
struct Use {
  std::size_t weights = 0;
  std::vector<std::size_t> dims;  ///< of the weights, that dimensions of the sum, or data, index
  std::vector<std::string> axes;  ///< of the sum, these
  std::optional<std::size_t> packed = std::nullopt;  ///< along which dimension two are a byte

  bool is_like(const Use& other) const { return weights == other.weights && dims == other.dims; }
};

/// Returns the dimensions of a table with data-dependent indices; nullopt if any other dimension is indexed
/// by more than an axis.
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

bool is_finite(const Buffer& constant) {
  return std::ranges::all_of(constant.as<float>(), [](float value) { return std::isfinite(value); });
}

/// Returns the longest dimension that is an axis of the sum and nothing else (the last one if several are
/// equal); nullopt if that is short.
std::optional<std::size_t> packed_dim(const classify::Access& access, const std::vector<std::string>& axes,
                                      const Buffer& weights) {
  float largest = 0;
  for (const float value : weights.as<float>()) largest = std::max(largest, std::abs(value));
  if (largest > kLargestPacked || largest < kSmallestPacked) return std::nullopt;
  std::optional<std::size_t> longest;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const auto is_index = [&](const std::string& axis) { return access.indices[d].is_axis(axis); };
    if (std::ranges::none_of(axes, is_index) || weights.shape()[d] < kFewestPacked) continue;
    if (!longest || weights.shape()[d] >= weights.shape()[*longest]) longest = d;
  }
  return longest;
}

class Quantizer {
 public:
  Quantizer(DefinitionGraph graph, WeightPrecision precision, PassNotes* notes)
      : rewriter_(std::move(graph), notes), precision_(precision) {}

  DefinitionGraph run() {
    find();
    if (uses_.empty()) return graph_;
    std::set<std::size_t> weights;
    for (const auto& [reader, uses] : uses_)
      for (const Use& use : uses) weights.insert(use.weights);
    return rewriter_.run([&](std::size_t tensor) {
      if (weights.contains(tensor)) {
        if (use_of_weights(tensor).packed) {
          pack(tensor);
        } else {
          quantize(tensor);
        }
      }
      for (const Func& func : funcs_.funcs_of(tensor)) rebuild(func);
    });
  }

 private:
  void find() {
    std::map<std::size_t, std::vector<std::pair<const Function*, Use>>> by_weights;
    std::vector<std::size_t> readers(graph_.tensors.size());  // Funcs that read each tensor
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      for (const Func& func : funcs_.funcs_of(i)) {
        for (const std::size_t read : funcs_.reads_of({func})) ++readers[read];
        for (const Use& use : uses_in(func)) by_weights[use.weights].emplace_back(&func.contents(), use);
      }
    }
    for (const auto& [weights, uses] : by_weights) {
      const bool is_alike =
          std::ranges::all_of(uses, [&](const auto& use) { return use.second.is_like(uses.front().second); });
      if (!is_alike || readers[weights] != uses.size()) continue;
      const bool is_packed_alike = std::ranges::all_of(
          uses, [&](const auto& use) { return use.second.packed == uses.front().second.packed; });
      for (const auto& [reader, use] : uses) {
        uses_[reader].push_back(use);
        if (!is_packed_alike) uses_[reader].back().packed.reset();
      }
    }
  }

  std::vector<Use> uses_in(const Func& func) const {
    if (func.is_input() || func.contents().is_tuple() || func.type() != Float(32)) return {};
    if (func.updates() == 0) return tables_in(func);
    const auto use = product_in(func);
    return use ? std::vector{*use} : std::vector<Use>();
  }

  /// True if the weights may be integers, with a scale for each index along `use.dims`.
  bool may_be_integers(const Use& use) const {
    const DefinedTensor& tensor = graph_.tensors[use.weights];
    return tensor.constant && !tensor.stored_as && !graph_.is_read_by_host(use.weights) &&
           tensor.constant->type() == Float(32) && tensor.constant->elements() >= kFewest &&
           is_finite(*tensor.constant) && tensor.constant->elements() / scales_of(use) >= kFewestOfScale;
  }

  /// Returns the uses of each table; one that is read in several ways has several.
  std::vector<Use> tables_in(const Func& func) const {
    std::vector<Use> found;
    for (const classify::Access& access : classify::accesses_of(func.contents().definitions[0].value())) {
      const auto tensor = access.tensor ? funcs_.tensor_of(*access.tensor) : std::nullopt;
      if (!tensor || !graph_.tensors[*tensor].constant) continue;
      const auto dims = chosen_dims(access, func.contents());
      if (!dims) continue;
      const Use use{*tensor, *dims, {}};
      const bool is_known = std::ranges::any_of(found, [&](const Use& other) { return other.is_like(use); });
      if (!is_known && may_be_integers(use)) found.push_back(use);
    }
    return found;
  }

  std::optional<Use> product_in(const Func& func) const {
    const auto roles = product_roles(func.contents());
    if (!roles) return std::nullopt;
    for (const classify::Access* access : {&roles->b, &roles->a}) {
      const auto tensor = access->tensor ? funcs_.tensor_of(*access->tensor) : std::nullopt;
      if (!tensor || !graph_.tensors[*tensor].constant) continue;
      const auto found = weight_use(*access, func.contents());
      if (!found || found->dims.empty()) continue;
      Use use{*tensor, found->dims, found->axes};
      if (!may_be_integers(use)) continue;
      if (precision_ == WeightPrecision::Int4)
        use.packed = packed_dim(*access, roles->k, *graph_.tensors[*tensor].constant);
      return use;
    }
    return std::nullopt;
  }

  std::int64_t scales_of(const Use& use) const {
    std::int64_t count = 1;
    for (const std::size_t d : use.dims) count *= graph_.tensors[use.weights].constant->shape()[d];
    return count;
  }

  const Use& use_of_weights(std::size_t weights) const {
    for (const auto& [reader, uses] : uses_)
      for (const Use& use : uses)
        if (use.weights == weights) return use;
    throw InternalError("weights that nothing uses");
  }

  /// Stores the visited tensor as integers, and before it their scales.
  void quantize(std::size_t weights) {
    DefinedTensor& tensor = rewriter_.visited();
    const Use& use = use_of_weights(weights);
    QuantizedWeights quantized = quantized_weights(*tensor.constant, use.dims);
    tensor.constant = std::make_shared<const Buffer>(std::move(quantized.integers));
    // Winograd convolutions transform weights of convolutions; matrices may be large.
    if (tensor.constant->shape().size() > 2)
      tensor.exact = std::make_shared<const Buffer>(std::move(quantized.exact));
    tensor.stored_as = Int(8);
    add_scales(weights, std::move(quantized.scales), Float(32));
  }

  /// Stores two elements of the visited tensor in a byte, and before it their scales.
  void pack(std::size_t weights) {
    DefinedTensor& tensor = rewriter_.visited();
    PackedWeights packed = packed_weights(*tensor.constant, *use_of_weights(weights).packed);
    tensor.constant = std::make_shared<const Buffer>(std::move(packed.pairs));
    tensor.shape = extents_of(*tensor.constant);
    tensor.func = Input(tensor.func.name(), UInt(8), tensor.shape);
    packed_.emplace(weights, tensor.func);
    add_scales(weights, std::move(packed.scales), Float(16));
  }

  void add_scales(std::size_t weights, Buffer values, Type stored_as) {
    const DefinedTensor& tensor = rewriter_.visited();
    const std::vector<Expr> extents = extents_of(values);
    const std::string what =
        fmt::format("is {}, with {} scales", packed_.contains(weights) ? "i4" : "i8", values.elements());
    DefinedTensor made{tensor.name + "_scale", Input(tensor.func.name() + "_scale", Float(32), extents),
                       extents, std::make_shared<const Buffer>(std::move(values)), tensor.origin};
    made.stored_as = stored_as;
    scales_.emplace(weights, made.func);
    rewriter_.note(weights, PassOutcome::Described, what);
    rewriter_.add(std::move(made));
  }

  void rebuild(const Func& func) {
    const auto found = uses_.find(&func.contents());
    if (found == uses_.end()) return rewriter_.update(func);
    const std::vector<Use>& uses = found->second;
    if (uses.front().packed) {
      const Func weights = graph_.tensors[uses.front().weights].func;
      rewriter_.redirect(weights, unpacked(func.name() + "_weight", uses.front()));
      return rewriter_.update(func);
    }
    rewriter_.update(func);
    const Func reader = rewriter_.now(func);
    const std::vector<std::string>& dims = reader.contents().dims;
    if (reader.updates() == 0) {
      rewriter_.redirect(func, pure_func(reader.name(), dims, with_scales(reader, uses)));
      return;
    }
    const Use& use = uses.front();
    rewriter_.redirect(func, pure_func(reader.name() + "_scaled", dims,
                                       read_of(reader, vars_of(dims)) *
                                           read_of(scales_.at(use.weights), vars_of(use.axes))));
  }

  /// The weights again, of the byte and the scale of each.
  Func unpacked(const std::string& name, const Use& use) const {
    const Func &pairs = packed_.at(use.weights), &scales = scales_.at(use.weights);
    std::vector<std::string> dims;
    for (int d = 0; d < pairs.rank(); ++d) dims.push_back(fmt::format("w{}", d));
    const std::vector<Expr> place = vars_of(dims);
    const Expr& k = place[*use.packed];
    std::vector<Expr> pair = place, scale = place;
    pair[*use.packed] = k / 2;
    scale[*use.packed] = k / static_cast<int>(kPackedGroup);
    const Expr level = cast(Int(32), read_of(pairs, pair)) >> (k % 2 * 4) & 15;
    return pure_func(name, dims, cast(Float(32), level - 8) * read_of(scales, scale));
  }

  /// Each read of a table times the scale of its row.
  Expr with_scales(const Func& reader, const std::vector<Use>& uses) const {
    return rewrite(reader.contents().definitions[0].value(), [&](const Expr& e) {
      const auto use = std::ranges::find_if(uses, [&](const Use& table) {
        return e->kind == ExprKind::Call && e->function == graph_.tensors[table.weights].func.shared();
      });
      if (use == uses.end()) return e;
      std::vector<Expr> row;
      for (const std::size_t d : use->dims) row.push_back(e->operands[d]);
      return e * read_of(scales_.at(use->weights), row);
    });
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  WeightPrecision precision_;
  std::map<const Function*, std::vector<Use>> uses_;  // by the sum, which has one, or the reader of tables
  std::map<std::size_t, Func> scales_, packed_;       // by the weights
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

void quantize_weights(Graph& graph, const GraphContext& context) {
  graph.definitions = Quantizer(std::move(graph.definitions), context.options.weights, context.notes).run();
}

}  // namespace tensordsl::graph

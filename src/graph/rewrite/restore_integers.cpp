#include "graph/rewrite/restore_integers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "dsl/func_of.h"
#include "dsl/make_func.h"
#include "graph/rewrite/find_integers.h"
#include "graph/rewrite/graph_rewriter.h"
#include "graph/rewrite/weight_use.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

using namespace ir;

namespace {

constexpr std::int64_t kFewestRestored = 4096, kFewestOfRun = 16;
/// Values of ONNX's block_size, as quantizers choose it.
constexpr std::array<std::int64_t, 5> kBlocks{256, 128, 64, 32, 16};

/// The runs that may have a scale each, those that a sum may be multiplied by first. `dims`: of the weights,
/// that dimensions of a sum index.
std::vector<std::vector<std::int64_t>> possible_runs(const std::vector<std::int64_t>& shape,
                                                     const std::vector<std::size_t>& dims) {
  const std::vector<std::int64_t> one(shape.size(), 0);
  std::vector<std::vector<std::int64_t>> result{one, one};
  for (const std::size_t d : dims) result.back()[d] = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    result.push_back(one);
    result.back()[d] = 1;
  }
  for (const std::int64_t block : kBlocks) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] <= block) continue;
      result.emplace_back(shape.size(), 1);
      result.back()[d] = block;
    }
  }
  std::erase_if(result, [&](const std::vector<std::int64_t>& runs) {
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) elements *= runs[d] > 0 ? runs[d] : shape[d];
    return elements < kFewestOfRun;
  });
  return result;
}

class IntegerRestorer {
 public:
  IntegerRestorer(DefinitionGraph graph, PassNotes* notes) : rewriter_(std::move(graph), notes) {}

  DefinitionGraph run() {
    find();
    if (restored_.empty()) return graph_;
    return rewriter_.run([&](std::size_t tensor) {
      const auto found = restored_.find(&graph_.tensors[tensor].func.contents());
      if (found != restored_.end()) store(tensor, found->second);
      for (const Func& func : funcs_.funcs_of(tensor)) rebuild(func);
    });
  }

 private:
  struct Restored {
    IntegerForm form;
    std::optional<Func> scales;  ///< none: one number
  };

  void find() {
    std::map<std::size_t, std::vector<Func>> readers;  // by the constant
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      for (const Func& func : funcs_.funcs_of(i)) {
        for (const std::size_t read : funcs_.reads_of({func}))
          if (graph_.tensors[read].constant) readers[read].push_back(func);
      }
    }
    for (const auto& [weights, funcs] : readers) {
      if (!may_be_integers(weights)) continue;
      std::vector<std::size_t> dims;
      const bool may_read = std::ranges::all_of(funcs, [&](const Func& func) {
        if (func.updates() == 0) return true;
        const auto use = use_in(func, graph_.tensors[weights].func);
        if (use) dims = use->dims;
        return use.has_value();
      });
      if (!may_read) continue;
      const Buffer& constant = *graph_.tensors[weights].constant;
      for (const std::vector<std::int64_t>& runs : possible_runs(constant.shape(), dims)) {
        auto form = integers_of(constant, runs);
        if (!form) continue;
        restored_.emplace(&graph_.tensors[weights].func.contents(), Restored{std::move(*form), std::nullopt});
        break;
      }
    }
  }

  bool may_be_integers(std::size_t weights) const {
    const DefinedTensor& tensor = graph_.tensors[weights];
    return !tensor.stored_as && !graph_.is_read_by_host(weights) && tensor.constant->type() == Float(32) &&
           tensor.constant->elements() >= kFewestRestored;
  }

  /// Returns how a sum of products uses the weights; nullopt if it is not such a sum, or windows slide over
  /// the constant.
  static std::optional<WeightUse> use_in(const Func& sum, const Func& weights) {
    const auto roles = product_roles(sum.contents());
    if (!roles) return std::nullopt;
    const bool is_b = roles->b.tensor == weights.shared();
    return weight_use(is_b ? roles->b : roles->a, sum.contents());
  }

  /// Stores the visited tensor as integers, and before it their scales, unless they are one number.
  void store(std::size_t weights, Restored& restored) {
    DefinedTensor& tensor = rewriter_.visited();
    IntegerForm& form = restored.form;
    // Winograd convolutions transform weights of convolutions; matrices may be large.
    if (form.offset != 0 && tensor.shape.size() > 2) {
      Buffer integers = form.integers;
      for (float& integer : integers.as<float>()) integer += static_cast<float>(form.offset);
      tensor.exact = std::make_shared<const Buffer>(std::move(integers));
    }
    tensor.constant = std::make_shared<const Buffer>(std::move(form.integers));
    tensor.stored_as = form.stored_as;
    tensor.is_exact = true;
    const std::int64_t count = form.scales.elements();
    const std::string text = fmt::format("is {}, with {}", to_string(form.stored_as),
                                         count == 1 ? "one scale" : fmt::format("{} scales", count));
    rewriter_.note(weights, PassOutcome::Described, text);
    if (count == 1) return;
    const std::vector<Expr> extents = extents_of(form.scales);
    DefinedTensor scales{tensor.name + "_scale", Input(tensor.func.name() + "_scale", Float(32), extents),
                         extents, std::make_shared<const Buffer>(form.scales), tensor.origin};
    scales.stored_as = Float(32);
    restored.scales = scales.func;
    rewriter_.add(std::move(scales));
  }

  void rebuild(const Func& func) {
    rewriter_.update(func);
    std::vector<Func> weights;
    for (const std::size_t read : funcs_.reads_of({func}))
      if (restored_.contains(&graph_.tensors[read].func.contents()))
        weights.push_back(graph_.tensors[read].func);
    if (weights.empty()) return;
    const Func reader = rewriter_.now(func);
    rewriter_.redirect(func, reader.updates() == 0 ? with_weights(reader) : with_integers(reader, weights));
  }

  /// A pure definition that makes each weight where it reads it.
  Func with_weights(const Func& reader) const {
    return copy_with_reads(reader, reader.name(), [&](const Expr& call) {
      const auto found = restored_.find(call->function.get());
      if (found == restored_.end()) return call;
      return with_offset(found->second, call) * scale_at(found->second, call->operands);
    });
  }

  /// Returns a sum of products with integers; scales that are one for each of its elements multiply it
  /// afterwards.
  Func with_integers(const Func& reader, const std::vector<Func>& all_weights) const {
    std::map<const Function*, Func> factors;  // that replace factors other than plain reads
    std::vector<Expr> scales;
    for (const Func& weights : all_weights) {
      const Restored& restored = restored_.at(&weights.contents());
      const auto scale = scale_of_sum(restored, use_in(reader, weights).value());
      if (scale) scales.push_back(*scale);
      if (scale && restored.form.offset == 0) continue;
      std::vector<std::string> dims;
      for (int d = 0; d < weights.rank(); ++d) dims.push_back(fmt::format("w{}", d));
      const std::vector<Expr> place = vars_of(dims);
      const Expr integer = with_offset(restored, read_of(weights, place));
      factors.emplace(&weights.contents(),
                      pure_func(fmt::format("{}_{}", reader.name(), weights.name()), dims,
                                scale ? integer : integer * scale_at(restored, place)));
    }
    const Func sum = copy_with_reads(reader, reader.name(), [&](const Expr& call) {
      const auto factor = factors.find(call->function.get());
      return factor == factors.end() ? call : read_of(factor->second, call->operands);
    });
    if (scales.empty()) return sum;
    const std::vector<std::string>& dims = sum.contents().dims;
    Expr value = read_of(sum, vars_of(dims));
    for (const Expr& scale : scales) value = value * scale;
    return pure_func(sum.name() + "_scaled", dims, value);
  }

  /// Returns the factor of an element of the sum; nothing if its weights have several scales.
  static std::optional<Expr> scale_of_sum(const Restored& restored, const WeightUse& use) {
    std::vector<Expr> at;
    for (std::size_t d = 0; d < restored.form.runs.size(); ++d) {
      const auto dim = std::ranges::find(use.dims, d);
      if (dim == use.dims.end() && restored.form.runs[d] > 0) return std::nullopt;
      at.push_back(dim == use.dims.end()
                       ? Expr(0)
                       : make_var(use.axes[static_cast<std::size_t>(dim - use.dims.begin())]));
    }
    return scale_at(restored, at);
  }

  static Expr with_offset(const Restored& restored, const Expr& integer) {
    const int offset = restored.form.offset;
    return offset == 0 ? integer : integer - make_float(Float(32), -offset);
  }

  /// The scale of the weight at `at`.
  static Expr scale_at(const Restored& restored, const std::vector<Expr>& at) {
    if (!restored.scales) return make_float(Float(32), restored.form.scales.get(0));
    std::vector<Expr> place;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::int64_t run = restored.form.runs[d];
      if (run > 0) place.push_back(run == 1 ? at[d] : at[d] / static_cast<int>(run));
    }
    return read_of(*restored.scales, place);
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  std::map<const Function*, Restored> restored_;  // by the constant
};

}  // namespace

void restore_integers(Graph& graph, const GraphContext& context) {
  graph.definitions = IntegerRestorer(std::move(graph.definitions), context.notes).run();
}

}  // namespace tensordsl::graph

#include "graph/rewrite/merge_parallel_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "classify/classify.h"
#include "dsl/func_of.h"
#include "graph/rewrite/graph_rewriter.h"
#include "graph/rewrite/side_by_side.h"
#include "ir/analyze/uses_outside_reads.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

using namespace ir;

namespace {

/// A tensor as a function of another one and of constants.
struct Step {
  std::string text;                                 ///< the definitions, without names
  std::vector<std::size_t> constants;               ///< in the order of the text
  std::vector<std::optional<std::size_t>> columns;  ///< by constant, its dimension along columns
};

/// Tensors that one merged tensor has side by side along `dim`, and what each becomes by the same step, and
/// so on; of each row of `tensors` all do the same.
struct Branches {
  std::size_t dim = 0;
  std::size_t source = 0;
  std::vector<std::vector<std::size_t>> tensors;
  std::vector<std::vector<Step>> steps;
};

class ProductMerger {
 public:
  /// `apart`: merged tensors that a device has refused, which are not merged again.
  ProductMerger(DefinitionGraph graph, const std::set<std::string>& kept, const std::set<std::string>& apart,
                PassNotes* notes)
      : rewriter_(std::move(graph), notes), kept_(kept), apart_(apart) {}

  DefinitionGraph run() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) find_branches(i);
    return rewriter_.run([&](std::size_t tensor) {
      if (const auto first = firsts_.find(tensor); first != firsts_.end()) add_merged(all_[first->second]);
      if (const auto slice = slices_.find(tensor); slice != slices_.end())
        rewriter_.redirect(graph_.tensors[tensor].func, slice->second);
    });
  }

 private:
  bool is_open(std::size_t tensor) const {
    const DefinedTensor& t = graph_.tensors[tensor];
    return !t.func.is_input() && !graph_.is_read_by_host(tensor) && !kept_.contains(t.origin.kind) &&
           !t.shape.empty();
  }

  void find_branches(std::size_t source) {
    if (graph_.tensors[source].constant || rewriter_.readers_of(source).size() < 2) return;
    std::map<std::string, Branches> by_text;
    for (const std::size_t reader : rewriter_.readers_of(source)) {
      const auto dim = columns_of_product(reader);
      const auto step = dim ? step_of(reader, source, *dim) : std::nullopt;
      if (!step) continue;
      Branches& branches = by_text[step->text + std::to_string(*dim)];
      branches.dim = *dim;
      branches.source = source;
      if (branches.tensors.empty()) {
        branches.tensors.emplace_back();
        branches.steps.emplace_back();
      }
      branches.tensors[0].push_back(reader);
      branches.steps[0].push_back(*step);
    }
    for (auto& [text, branches] : by_text) add(std::move(branches));
  }

  void add(Branches branches) {
    // Each slice is an offset in the kernel that reads it, so many of them are many kernels.
    constexpr std::size_t kMostBranches = 8;
    const std::size_t count = branches.tensors[0].size();
    if (count < 2 || count > kMostBranches || !have_equal_shapes(branches)) return;
    while (follow(branches)) {
    }
    std::size_t scaled = 0;  // which stay tensors, if nothing takes the scale in
    for (const std::size_t tensor : branches.tensors.back()) {
      if (is_only_moved(tensor)) continue;
      if (!is_only_scaled(tensor)) return;
      ++scaled;
    }
    if (1 + scaled >= count && scaled > 0) return;
    const auto is_refused = [&](const auto& tensors) { return apart_.contains(merged_name(tensors)); };
    if (std::ranges::any_of(branches.tensors, is_refused)) return;
    firsts_.emplace(branches.tensors[0][0], all_.size());
    all_.push_back(std::move(branches));
  }

  std::string merged_name(const std::vector<std::size_t>& tensors) const {
    return graph_.tensors[tensors[0]].name + ".." + graph_.tensors[tensors.back()].name;
  }

  /// Returns the dimension of a product that only its constant factor has; nullopt if it is not a plain
  /// product.
  std::optional<std::size_t> columns_of_product(std::size_t tensor) const {
    const std::vector<Func> funcs = is_open(tensor) ? funcs_.funcs_of(tensor) : std::vector<Func>();
    if (funcs.size() != 2 || funcs[0].contents().dims != funcs[1].contents().dims) return std::nullopt;
    const classify::Classification kind = classify::classify(funcs[0].contents());
    if (kind.kind != classify::Class::Contraction || !kind.windows.empty()) return std::nullopt;
    if (!classify::reads_in_place(funcs[1].contents(), funcs[0].name())) return std::nullopt;
    for (const bool is_second : {true, false}) {
      const classify::Access& weights = is_second ? kind.roles->b : kind.roles->a;
      const std::vector<std::string>& columns = is_second ? kind.roles->n : kind.roles->m;
      const auto read = funcs_.tensor_of(*weights.tensor);
      if (!read || !graph_.tensors[*read].constant || columns.size() != 1) continue;
      const auto& dims = funcs[0].contents().dims;
      return static_cast<std::size_t>(std::ranges::find(dims, columns[0]) - dims.begin());
    }
    return std::nullopt;
  }

  std::optional<Step> step_of(std::size_t tensor, std::size_t source, std::size_t dim) const {
    Step step;
    const std::vector<Func> funcs = funcs_.funcs_of(tensor);
    bool fits = true;
    for (const Func& func : funcs) {
      const Function& function = func.contents();
      if (function.is_tuple() || function.dims.size() <= dim) return std::nullopt;
      const std::string& column = function.dims[dim];
      const auto named = [&](const Expr& expr) {
        return to_string(rewrite(expr, [&](const Expr& e) {
          if (e->kind != ExprKind::Call) return e;
          return make_call(e.type(), nullptr, name_of(e, funcs, source, column, step, fits), e->operands);
        }));
      };
      for (const std::string& name : function.dims) step.text += name + ",";
      for (const Definition& definition : function.definitions) {
        for (const Expr& expr : definition.values) {
          fits = fits && !uses_outside_reads(expr, column);
          step.text += named(expr) + ";";
        }
        if (definition.predicate.defined()) return std::nullopt;
        for (const ReductionAxis& axis : definition.domain)
          step.text += axis.name + ":" + named(axis.min) + ":" + named(axis.extent) + ";";
      }
    }
    return fits ? std::optional(step) : std::nullopt;
  }

  /// Names a read in the text of a step; notes constants.
  std::string name_of(const Expr& call, const std::vector<Func>& funcs, std::size_t source,
                      const std::string& column, Step& step, bool& fits) const {
    if (!call->function) return "self";
    for (std::size_t f = 0; f < funcs.size(); ++f) {
      if (funcs[f].shared() == call->function) return "part" + std::to_string(f);
    }
    const std::size_t read = funcs_.tensor_of(*call->function).value();
    if (read == source) return "source";
    const DefinedTensor& constant = graph_.tensors[read];
    std::optional<std::size_t> along;
    for (std::size_t d = 0; d < call->operands.size(); ++d) {
      const Expr& index = call->operands[d];
      if (!uses_var(index, column)) continue;
      fits = fits && !along && index->kind == ExprKind::Var;
      along = d;
    }
    fits = fits && constant.constant && (along || constant.constant->elements() == 1);
    step.constants.push_back(read);
    step.columns.push_back(along);
    return "constant_" + shape_text(constant, along);
  }

  /// True if the first tensors differ only in their numbers of columns, which their constants have too.
  bool have_equal_shapes(const Branches& branches) const {
    const auto extents = [&](std::size_t i) { return graph_.tensors[branches.tensors[0][i]].extents(); };
    for (std::size_t i = 0; i < branches.tensors[0].size(); ++i) {
      const std::vector<Expr> a = extents(0), b = extents(i);
      if (a.size() != b.size() || !as_int(b[branches.dim])) return false;
      for (std::size_t d = 0; d < a.size(); ++d) {
        if (d != branches.dim && !same(a[d], b[d])) return false;
      }
    }
    return has_equal_constants(branches, branches.steps[0]);
  }

  /// True if constants without columns are the same number, and constants with columns have as many as their
  /// tensors.
  bool has_equal_constants(const Branches& branches, const std::vector<Step>& steps) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::int64_t columns = *as_int(graph_.tensors[branches.tensors[0][i]].extents()[branches.dim]);
      for (std::size_t c = 0; c < steps[i].constants.size(); ++c) {
        const DefinedTensor& constant = graph_.tensors[steps[i].constants[c]];
        const auto along = steps[i].columns[c];
        if (along && !is_const(constant.extents()[*along], static_cast<double>(columns))) return false;
        const Buffer& first = *graph_.tensors[steps[0].constants[c]].constant;
        if (!along && !(*constant.constant == first)) return false;
      }
    }
    return true;
  }

  /// Adds the next tensors of all branches if they are computed by the same step.
  bool follow(Branches& branches) const {
    std::vector<std::size_t> next;
    std::vector<Step> steps;
    for (const std::size_t tensor : branches.tensors.back()) {
      if (rewriter_.readers_of(tensor).size() != 1) return false;
      const std::size_t reader = rewriter_.readers_of(tensor)[0];
      if (!is_open(reader) || funcs_.funcs_of(reader).size() != 1) return false;
      const Function& function = graph_.tensors[reader].func.contents();
      if (classify::classify(function).kind != classify::Class::Pointwise) return false;
      if (!classify::reads_in_place(function, graph_.tensors[tensor].func.name())) return false;
      const auto before = graph_.tensors[tensor].extents(), after = graph_.tensors[reader].extents();
      if (!std::ranges::equal(before, after, ExprSame())) return false;
      const auto step = step_of(reader, tensor, branches.dim);
      if (!step || (!steps.empty() && steps[0].text != step->text)) return false;
      next.push_back(reader);
      steps.push_back(*step);
    }
    if (!has_equal_constants(branches, steps)) return false;
    branches.tensors.push_back(std::move(next));
    branches.steps.push_back(std::move(steps));
    return true;
  }

  /// True if a slice that replaces the tensor would be folded into the indices of every reader.
  bool is_only_moved(std::size_t tensor) const {
    return std::ranges::all_of(rewriter_.readers_of(tensor), [&](std::size_t reader) {
      const std::vector<Func> funcs = funcs_.funcs_of(reader);
      const classify::Classification kind = classify::classify(funcs[0].contents());
      const Expr& value = funcs.back().contents().definitions[0].values[0];
      if (funcs.size() == 1) return value->kind == ExprKind::Call && value->function;
      return kind.kind == classify::Class::Contraction && kind.windows.empty();
    });
  }

  /// True if every reader only scales the tensor by a constant, and is_only_moved() holds for its result.
  bool is_only_scaled(std::size_t tensor) const {
    return std::ranges::all_of(rewriter_.readers_of(tensor), [&](std::size_t reader) {
      const std::vector<Func> funcs = funcs_.funcs_of(reader);
      const Expr& value = funcs.back().contents().definitions[0].values[0];
      if (!is_open(reader) || funcs.size() != 1 || value->kind != ExprKind::Mul) return false;
      if (!classify::reads_in_place(funcs[0].contents(), graph_.tensors[tensor].func.name())) return false;
      return std::ranges::any_of(value->operands, [&](const Expr& e) { return is_number(e); }) &&
             is_only_moved(reader);
    });
  }

  bool is_number(const Expr& e) const {
    if (e->kind != ExprKind::Call) return is_const(e);
    const auto read = e->function ? funcs_.tensor_of(*e->function) : std::nullopt;
    return read && graph_.tensors[*read].constant && graph_.tensors[*read].constant->elements() == 1;
  }

  /// The merged tensors, and the slices that replace the last ones.
  void add_merged(const Branches& branches) {
    Func source = rewriter_.now(graph_.tensors[branches.source].func);
    std::int64_t columns = 0;
    for (const std::size_t tensor : branches.tensors[0])
      columns += *as_int(graph_.tensors[tensor].extents()[branches.dim]);
    for (std::size_t level = 0; level < branches.tensors.size(); ++level) {
      const std::vector<std::size_t>& tensors = branches.tensors[level];
      const std::string& name = graph_.tensors[tensors[0]].func.name();
      const std::vector<Func> constants = merged_constants(branches.steps[level], name);
      DefinedTensor merged = graph_.tensors[tensors[0]];
      merged.name = merged_name(tensors);
      merged.shape[branches.dim] = Expr(static_cast<int>(columns));
      for (std::size_t i = 1; i < tensors.size(); ++i)
        merged.fused.push_back(graph_.tensors[tensors[i]].origin);
      const Func before = level == 0 ? graph_.tensors[branches.source].func
                                     : graph_.tensors[branches.tensors[level - 1][0]].func;
      merged.func = merged_func(tensors[0], before, source, branches.steps[level][0], constants);
      source = merged.func;
      for (const std::size_t tensor : tensors)
        rewriter_.note(tensor, PassOutcome::Merged,
                       fmt::format("is columns of %{}, one product of several constants", merged.name),
                       {merged.name});
      rewriter_.add(std::move(merged));
    }
    std::int64_t first = 0;
    for (const std::size_t tensor : branches.tensors.back()) {
      slices_.emplace(tensor, slice_of(source, graph_.tensors[tensor].func, branches.dim, first));
      first += *as_int(graph_.tensors[tensor].extents()[branches.dim]);
    }
  }

  /// `reader`: the name of the Func that reads them.
  std::vector<Func> merged_constants(const std::vector<Step>& steps, const std::string& reader) {
    std::vector<Func> inputs;
    for (std::size_t c = 0; c < steps[0].constants.size(); ++c) {
      DefinedTensor merged = graph_.tensors[steps[0].constants[c]];
      if (const auto along = steps[0].columns[c]) {
        std::vector<const Buffer*> parts;
        for (const Step& step : steps) parts.push_back(graph_.tensors[step.constants[c]].constant.get());
        merged.constant = std::make_shared<const Buffer>(concatenated(parts, *along));
        merged.shape[*along] = Expr(static_cast<int>(merged.constant->shape()[*along]));
        merged.name += ".." + graph_.tensors[steps.back().constants[c]].name;
      }
      merged.func = Input(fmt::format("merged_{}_{}", reader, c), merged.type(), merged.extents());
      inputs.push_back(merged.func);
      rewriter_.add(std::move(merged));
    }
    return inputs;
  }

  /// The definition of `tensor` over the merged source and constants.
  Func merged_func(std::size_t tensor, const Func& before, const Func& source, const Step& step,
                   const std::vector<Func>& constants) const {
    std::map<const Function*, Func> now{{&before.contents(), source}};
    for (std::size_t c = 0; c < constants.size(); ++c)
      now.insert_or_assign(&graph_.tensors[step.constants[c]].func.contents(), constants[c]);
    Func last = graph_.tensors[tensor].func;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      last = copy_with_reads(func, "merged_" + func.name(), [&](const Expr& call) {
        const Func& to = now.at(call->function.get());
        return make_call(call.type(), to.shared(), to.name(), call->operands, call->component);
      });
      now.insert_or_assign(&func.contents(), last);
    }
    return last;
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  const std::set<std::string>& kept_;
  const std::set<std::string>& apart_;
  std::vector<Branches> all_;
  std::map<std::size_t, std::size_t> firsts_;  // by the first tensor of a Branches, which one
  std::map<std::size_t, Func> slices_;
};

}  // namespace

void merge_parallel_products(Graph& graph, const GraphContext& context) {
  graph.definitions = ProductMerger(std::move(graph.definitions), context.options.on_host,
                                    graph.fallbacks.refused(Refusal::Together), context.notes)
                          .run();
}

}  // namespace tensordsl::graph

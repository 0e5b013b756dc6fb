#include "graph/views/fold_views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "classify/classify.h"
#include "classify/movement.h"
#include "definitions/bounds_of_funcs.h"
#include "dsl/func_of.h"
#include "graph/rewrite/graph_rewriter.h"
#include "graph/views/choose_layouts.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "schedules/support/loops.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

using namespace ir;

namespace {

/// A tensor that takes each element from one other tensor.
struct Mover {
  std::vector<std::string> dims;
  Expr read;        ///< the Call, over `dims`
  bool is_reshape;  ///< it keeps the order of the elements
};

/// `read` at these indices.
Expr read_at(const Mover& mover, const std::vector<Expr>& indices, const Bounds& bounds) {
  Substitution values;
  for (std::size_t d = 0; d < mover.dims.size(); ++d) values.emplace(mover.dims[d], indices[d]);
  return map_operands(mover.read,
                      [&](const Expr& index) { return simplify(substitute(index, values), bounds); });
}

/// Returns the variable along which a read is contiguous in memory: it is in the last index, once, and in no
/// other. Empty if there is none.
std::string run_of(const std::vector<Expr>& logical, const std::vector<Expr>& logical_extents,
                   const Layout& layout) {
  std::vector<Expr> indices, extents;  // in the order of memory
  for (const int dim : schedules::memory_order(layout)) {
    indices.push_back(logical[static_cast<std::size_t>(dim)]);
    extents.push_back(logical_extents[static_cast<std::size_t>(dim)]);
  }
  std::size_t last = indices.size();
  while (last > 0 && as_int(extents[last - 1]) && *as_int(extents[last - 1]) == 1) --last;
  if (last == 0) return "";
  const LinearForm form(indices[last - 1]);
  for (const Term& term : form.terms()) {
    if (term.atom->kind != ExprKind::Var || term.coefficient != 1) continue;
    const std::string& name = term.atom->name;
    const auto is_elsewhere = [&](const Expr& e) { return uses_var(e, name); };
    const auto is_other = [&](const Term& t) { return !same(t.atom, term.atom) && is_elsewhere(t.atom); };
    if (std::ranges::any_of(form.terms(), is_other)) continue;
    if (std::any_of(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(last) - 1, is_elsewhere))
      continue;
    return name;
  }
  return "";
}

bool depends_on_data(const Expr& read) {
  bool result = false;
  for (const Expr& index : read->operands)
    visit(index, [&](const Expr& e) {
      result = result || e->kind == ExprKind::Call;
      return !result;
    });
  return result;
}

/// True if no index is known to leave the tensor: a user's operator may be wrong, or read it under a
/// condition.
bool stays_inside(const Expr& read, const std::vector<Expr>& extents, const Bounds& bounds) {
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t* extent = as_int(extents[d]);
    const Interval at = ir::bounds_of(read->operands[d], bounds);
    const bool is_known = extent && at.low != INT64_MIN && at.high != INT64_MAX;
    if (is_known && !Interval{0, *extent - 1}.contains(at)) return false;
  }
  return true;
}

/// Quotients and remainders in the indices of a read.
int divisions_in(const Expr& read) {
  int divisions = 0;
  visit(read, [&](const Expr& e) {
    divisions += e->kind == ExprKind::Div || e->kind == ExprKind::Mod;
    return true;
  });
  return divisions;
}

std::vector<FunctionPtr> shared_functions(const std::vector<Func>& funcs) {
  std::vector<FunctionPtr> functions;
  for (const Func& func : funcs) functions.push_back(func.shared());
  return functions;
}

class ViewFolder {
 public:
  ViewFolder(DefinitionGraph graph, const std::set<std::string>& kept, PassNotes* notes)
      : rewriter_(std::move(graph), notes), kept_(kept), layouts_(choose_layouts(graph_)) {}

  DefinitionGraph run() {
    return rewriter_.run([&](std::size_t tensor) {
      const Func& func = graph_.tensors[tensor].func;
      if (!func.is_input()) rebuild(tensor);
      made_.emplace(&rewriter_.now(func).contents(), tensor);
      if (!func.is_input()) note(tensor, rewriter_.now(func));
    });
  }

 private:
  /// Rebuilds the tensor's Funcs over those that were made before, without folded layout transformations.
  void rebuild(std::size_t tensor) {
    const bool is_mover = original_movement(tensor).has_value();
    const std::vector<Func> funcs = funcs_.funcs_of(tensor);
    const std::map<const Function*, Bounds> bounds =
        definitions::bounds_of_funcs(shared_functions(funcs), graph_.tensors[tensor].extents());
    for (const Func& func : funcs) {
      bool is_changed = false;
      const Bounds& of_func = bounds.at(&func.contents());
      const Func copy = copy_with_reads(func, func.name(), [&](const Expr& call) -> Expr {
        const auto source = funcs_.tensor_of(*call->function);
        const auto mover = source ? movers_.find(*source) : movers_.end();
        if (mover != movers_.end() && (is_mover || gone_.contains(*source))) {
          is_changed = true;
          return read_at(mover->second, call->operands, of_func);
        }
        const Func* read = rewriter_.replacement_of(*call->function);
        if (!read) return call;
        is_changed = true;
        return make_call(call.type(), read->shared(), read->name(), call->operands, call->component);
      });
      if (is_changed) rewriter_.redirect(func, copy);
    }
  }

  /// The read that the tensor's value is.
  std::optional<Expr> original_movement(std::size_t tensor) const {
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    if (kept_.contains(t.origin.kind) || funcs_.funcs_of(tensor).size() != 1) return std::nullopt;
    const Function& function = t.func.contents();
    if (function.definitions.size() != 1 || function.is_tuple()) return std::nullopt;
    const Expr& value = function.definitions[0].value();
    if (value->kind != ExprKind::Call || value->component != kWhole || depends_on_data(value))
      return std::nullopt;
    return value;
  }

  /// Notes the kind of a layout transformation, and whether it is folded.
  void note(std::size_t tensor, const Func& made) {
    if (!original_movement(tensor)) return;
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    const Function& function = made.contents();
    const Expr& read = function.definitions[0].value();
    const std::vector<Expr> source = graph_.tensors[made_.at(read->function.get())].extents();
    if (!stays_inside(read, source, definitions::bounds_of_dims(function.dims, t.extents())))
      return rewriter_.note(tensor, PassOutcome::Kept, "it may read outside its operand");
    const auto movement = classify::movement_of(function, t.extents(), source);
    const Mover mover{function.dims, read, movement && movement->keeps_order};
    movers_.emplace(tensor, mover);
    if (graph_.is_read_by_host(tensor)) return rewriter_.note(tensor, PassOutcome::Kept, "it is an output");
    if (mover.is_reshape) return rewriter_.note(tensor, PassOutcome::Kept, "it reshapes without reordering");
    const auto may_lose_it = [&](std::size_t reader) {
      return original_movement(reader).has_value() ||
             keeps_runs(reader, tensor, mover, made_.at(read->function.get()));
    };
    const auto other = std::ranges::find_if_not(rewriter_.readers_of(tensor), may_lose_it);
    if (other != rewriter_.readers_of(tensor).end()) {
      return rewriter_.note(
          tensor, PassOutcome::Kept,
          fmt::format("without it %{} would not read contiguous memory", graph_.tensors[*other].name));
    }
    gone_.insert(tensor);
    std::vector<std::string> readers;
    for (const std::size_t reader : rewriter_.readers_of(tensor))
      readers.push_back("%" + graph_.tensors[reader].name);
    rewriter_.note(tensor, PassOutcome::Gone,
                   fmt::format("folded into the indices of {}", fmt::join(readers, ", ")));
  }

  /// True if every read of the layout transformation by the reader runs along neighbors in memory without it
  /// as with it.
  bool keeps_runs(std::size_t reader, std::size_t tensor, const Mover& mover, std::size_t moved_from) const {
    const std::vector<Expr> source = graph_.tensors[moved_from].extents();
    const std::vector<Func> funcs = funcs_.funcs_of(reader);
    const auto bounds =
        definitions::bounds_of_funcs(shared_functions(funcs), graph_.tensors[reader].extents());
    const Function* moved = &graph_.tensors[tensor].func.contents();
    bool keeps = true;
    for (const Func& func : funcs) {
      const Function& function = func.contents();
      bool reads = false, is_cut = false;
      for (const Definition& definition : function.definitions) {
        for (const Expr& expr : definition.expressions()) {
          visit(expr, [&](const Expr& e) {
            if (e->kind != ExprKind::Call || e->function.get() != moved) return true;
            reads = true;
            const std::vector<Expr> extents = graph_.tensors[tensor].extents();
            const std::string run = run_of(e->operands, extents, layouts_[tensor]);
            const Expr now = read_at(mover, e->operands, bounds.at(&function));
            keeps = keeps && !run.empty() && !depends_on_data(e) &&
                    run_of(now->operands, source, layouts_[moved_from]) == run &&
                    stays_inside(e, extents, bounds.at(&function));
            is_cut = is_cut || divisions_in(now) > divisions_in(e);
            return keeps;
          });
        }
      }
      if (!reads) continue;
      const classify::Classification classification = classify::classify(function);
      using classify::Class;
      const bool is_plain = classification.kind == Class::Pointwise ||
                            classification.kind == Class::Reduction ||
                            classification.kind == Class::Contraction;
      // A padded input of a window, not a concatenation of several tensors.
      const bool is_padded =
          classification.kind == Class::Movement && func.shared() != graph_.tensors[reader].func.shared();
      const bool is_window = is_padded || !classification.windows.empty();
      keeps = keeps && (is_plain || is_padded) && (!is_window || !is_cut);
    }
    return keeps;
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  const std::set<std::string>& kept_;
  std::vector<Layout> layouts_;  // that the tensors would have with all layout transformations
  std::map<const Function*, std::size_t> made_;  // tensors by their Funcs now
  std::map<std::size_t, Mover> movers_;
  std::set<std::size_t> gone_;
};

}  // namespace

void fold_views(Graph& graph, const GraphContext& context) {
  graph.definitions = ViewFolder(std::move(graph.definitions), context.options.on_host, context.notes).run();
}

}  // namespace tensordsl::graph

#include "graph/rewrite/recognize_rolls.h"

#include <optional>

#include "definitions/bounds_of_funcs.h"
#include "dsl/func_of.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/linear_form.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

using namespace ir;

namespace {

class Recognizer {
 public:
  Recognizer(DefinitionGraph graph, const std::set<std::string>& kept, PassNotes* notes)
      : rewriter_(std::move(graph), notes), kept_(kept) {}

  DefinitionGraph run() {
    return rewriter_.run([&](std::size_t tensor) {
      const auto read = rolled(tensor);
      if (!read) return;
      const Func& func = graph_.tensors[tensor].func;
      Definition definition = func.contents().definitions[0];
      definition.values = {*read};
      rewriter_.replace(func, func_of(func.name(), func.contents().dims, {definition}));
      rewriter_.note(tensor, PassOutcome::Described, "is one read of the tensor whose two slices it was");
    });
  }

 private:
  /// The read of one tensor that the value is.
  std::optional<Expr> rolled(std::size_t tensor) const {
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    if (t.func.is_input() || kept_.contains(t.origin.kind) || funcs_.funcs_of(tensor).size() != 1)
      return std::nullopt;
    const Function& function = t.func.contents();
    const Expr& value = function.definitions[0].values[0];
    if (function.is_tuple() || value->kind != ExprKind::Select || (*value)[0]->kind != ExprKind::Lt)
      return std::nullopt;
    const Expr &dim = (*(*value)[0])[0], &limit = (*(*value)[0])[1];
    const std::int64_t* first = as_int(limit);
    Bounds bounds = definitions::bounds_of_dims(function.dims, t.extents());
    const auto whole = bounds.find(dim->name);
    if (dim->kind != ExprKind::Var || !first || whole == bounds.end()) return std::nullopt;
    const std::int64_t extent = whole->second.high + 1;
    if (*first <= 0 || *first >= extent) return std::nullopt;
    whole->second = {0, *first - 1};
    const auto a = source_read((*value)[1], bounds);
    whole->second = {*first, extent - 1};
    const auto b = source_read((*value)[2], bounds);
    return a && b ? as_roll(*a, *b, dim->name, *first, extent) : std::nullopt;
  }

  /// Rewrites a read of a slice as a read of the sliced tensor.
  std::optional<Expr> source_read(const Expr& read, const Bounds& bounds) const {
    if (read->kind != ExprKind::Call || !read->function || read->component != kWhole) return std::nullopt;
    const auto tensor = funcs_.tensor_of(*read->function);
    if (!tensor || graph_.tensors[*tensor].func.is_input() ||
        kept_.contains(graph_.tensors[*tensor].origin.kind))
      return std::nullopt;
    if (funcs_.funcs_of(*tensor).size() != 1 || read->function->definitions.size() != 1) return std::nullopt;
    const Expr& value = read->function->definitions[0].values[0];
    if (value->kind != ExprKind::Call || !value->function || value->component != kWhole) return std::nullopt;
    Substitution values;
    for (std::size_t d = 0; d < read->operands.size(); ++d)
      values.emplace(read->function->dims[d], read->operands[d]);
    return map_operands(value,
                        [&](const Expr& index) { return simplify(substitute(index, values), bounds); });
  }

  /// x(i + 3) where i < 5, else x(i - 5), of 8   ->   x((i + 3)%8)
  std::optional<Expr> as_roll(const Expr& a, const Expr& b, const std::string& dim, std::int64_t first,
                              std::int64_t extent) const {
    if (a->function != b->function) return std::nullopt;
    const auto source = funcs_.tensor_of(*a->function);
    if (!source) return std::nullopt;
    std::optional<std::size_t> place;
    for (std::size_t d = 0; d < a->operands.size(); ++d) {
      if (same(a->operands[d], b->operands[d])) continue;
      if (place) return std::nullopt;
      place = d;
    }
    if (!place || !is_const(graph_.tensors[*source].extents()[*place], static_cast<double>(extent)))
      return std::nullopt;
    const LinearForm to(a->operands[*place]), from(b->operands[*place]);
    const std::int64_t shift = extent - first;
    if (!is_shifted(to, shift, dim, {0, first - 1}) || !is_shifted(from, -first, dim, {first, extent - 1}))
      return std::nullopt;
    std::vector<Expr> indices = a->operands;
    indices[*place] = (make_var(dim) + static_cast<int>(shift)) % static_cast<int>(extent);
    return make_call(a.type(), a->function, a->name, indices);
  }

  /// True if the index is `dim` + `by`, or that number where the dimension has one value only.
  static bool is_shifted(const LinearForm& index, std::int64_t by, const std::string& dim,
                         const Interval& values) {
    if (index.terms().empty()) return values.low == values.high && index.constant == values.low + by;
    const Term& term = index.terms()[0];
    return index.terms().size() == 1 && term.coefficient == 1 && index.constant == by &&
           term.atom->kind == ExprKind::Var && term.atom->name == dim;
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  const std::set<std::string>& kept_;
};

}  // namespace

void recognize_rolls(Graph& graph, const GraphContext& context) {
  graph.definitions = Recognizer(std::move(graph.definitions), context.options.on_host, context.notes).run();
}

}  // namespace tensordsl::graph

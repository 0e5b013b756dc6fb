#include "graph/rewrite/drop_repeated_abs.h"

#include <optional>
#include <utility>

#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

/// The operand of a tensor that is one absolute value for each of its elements; null if it is another.
const Expr* operand_of_abs(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                           std::size_t tensor) {
  const Func& func = graph.tensors[tensor].func;
  if (func.is_input() || func.outputs() > 1 || func.updates() > 0 || funcs.funcs_of(tensor).size() != 1)
    return nullptr;
  const Expr& value = func.contents().definitions[0].values[0];
  return value->kind == ExprKind::Intrinsic && value->name == "abs" ? &(*value)[0] : nullptr;
}

/// Returns the tensor of which `read` is the element at the indices `dims`.
std::optional<std::size_t> tensor_read(const definitions::TensorFuncs& funcs, const Expr& read,
                                       const std::vector<std::string>& dims) {
  if (read->kind != ExprKind::Call || !read->function || read->operands.size() != dims.size())
    return std::nullopt;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (read->operands[d]->kind != ExprKind::Var || read->operands[d]->name != dims[d]) return std::nullopt;
  }
  return funcs.tensor_of(*read->function);
}

}  // namespace

void drop_repeated_abs(Graph& graph, const GraphContext& context) {
  GraphRewriter rewriter(std::move(graph.definitions), context.notes);
  const auto visit = [&](std::size_t tensor) {
    const Expr* operand = operand_of_abs(rewriter.graph(), rewriter.funcs(), tensor);
    if (!operand) return;
    const Function& function = rewriter.graph().tensors[tensor].func.contents();
    const auto source = tensor_read(rewriter.funcs(), *operand, function.dims);
    if (!source || !operand_of_abs(rewriter.graph(), rewriter.funcs(), *source)) return;
    rewriter.merge(tensor, *source, "is the absolute value that it is of");
  };
  graph.definitions = rewriter.run(visit);
}

}  // namespace tensordsl::graph

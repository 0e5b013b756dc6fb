#include "onnx/rewrite/clean_up.h"

#include "onnx/rewrite/fold_batch_norm.h"
#include "onnx/rewrite/fold_constants.h"
#include "onnx/rewrite/remove_dead_nodes.h"

namespace tensordsl::onnx {

void clean_up(Graph& graph, const Evaluator& evaluate) {
  fold_constants(graph, evaluate);
  fold_batch_norm(graph);
  remove_dead_nodes(graph);
}

}  // namespace tensordsl::onnx

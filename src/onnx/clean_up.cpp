#include "onnx/clean_up.h"

#include "onnx/fold_batch_norm.h"
#include "onnx/fold_constants.h"
#include "onnx/remove_dead_nodes.h"

namespace tensordsl {

void clean_up(Graph& graph, const Evaluator& evaluate) {
  fold_constants(graph, evaluate);
  fold_batch_norm(graph);
  remove_dead_nodes(graph);
}

}  // namespace tensordsl

#include "graph/rewrite/epilogues.h"

#include <algorithm>

#include "classify/classify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

Epilogues::Epilogues(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                     const std::vector<std::vector<std::size_t>>& readers)
    : are_(graph.tensors.size(), false) {
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    const definitions::DefinedTensor& tensor = graph.tensors[i];
    if (tensor.func.is_input() || funcs.funcs_of(i).size() != 1) continue;
    are_[i] = std::ranges::any_of(funcs.reads_of({tensor.func}), [&](std::size_t source) {
      if (readers[source].size() != 1 || graph.is_read_by_host(source)) return false;
      const bool is_accumulated = funcs.funcs_of(source).size() > 1;
      return (is_accumulated || are_[source]) &&
             classify::reads_in_place(tensor.func.contents(), graph.tensors[source].func.name());
    });
  }
}

}  // namespace tensordsl::graph

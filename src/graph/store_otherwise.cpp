#include "graph/store_otherwise.h"

#include <utility>
#include <vector>

#include "graph/renumber_tensors.h"

namespace tensordsl {

DefinitionGraph store_otherwise(const DefinitionGraph& graph, const TensorFuncs& funcs,
                                const Redirector& redirector, const StoreTensor& store,
                                const std::function<void(const Func& func)>& rebuild) {
  DefinitionGraph result = graph;
  result.tensors.clear();
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    DefinedTensor tensor = graph.tensors[i];
    if (auto beside = store(i, tensor)) result.tensors.push_back(*std::move(beside));
    for (const Func& func : funcs.funcs_of(i)) rebuild(func);
    tensor.func = redirector.now(tensor.func);
    place.push_back(result.tensors.size());
    result.tensors.push_back(std::move(tensor));
  }
  renumber_tensors(result, place);
  return result;
}

}  // namespace tensordsl

#include "graph/stages/tensor_storage.h"

namespace tensordsl::graph {

std::size_t TensorStorage::owner(std::size_t tensor) const {
  auto found = within.find(tensor);
  while (found != within.end()) {
    tensor = found->second;
    found = within.find(tensor);
  }
  return tensor;
}

}  // namespace tensordsl::graph

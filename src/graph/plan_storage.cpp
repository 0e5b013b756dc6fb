#include "graph/plan_storage.h"

#include <set>

#include "graph/absorb_movement.h"
#include "graph/choose_layouts.h"
#include "graph/find_aliases.h"
#include "graph/place_parts.h"

namespace tensordsl {

std::size_t TensorStorage::owner(std::size_t tensor) const {
  auto found = within.find(tensor);
  while (found != within.end()) {
    tensor = found->second;
    found = within.find(tensor);
  }
  return tensor;
}

TensorStorage plan_storage(const DefinitionGraph& graph, std::vector<Group>& groups,
                           const Optimizations& optimizations) {
  TensorStorage storage;
  storage.layouts = optimizations.layout_selection ? choose_layouts(graph) : row_major_layouts(graph);
  if (optimizations.fusion) storage.within = place_parts(graph, groups, storage.layouts);
  std::set<std::size_t> made;  // without a kernel
  for (const auto& [part, whole] : storage.within) made.insert(whole);
  if (optimizations.movement_elimination) {
    absorb_movement(graph, groups, storage.within, storage.layouts);
    for (const auto& [tensor, source] : find_aliases(graph, groups, storage.layouts, storage.within)) {
      const bool is_part = storage.within.contains(tensor);
      is_part ? storage.within.emplace(source, tensor) : storage.within.emplace(tensor, source);
      made.insert(tensor);
    }
  }
  std::erase_if(groups, [&](const Group& group) { return made.contains(group.stored_tensors[0]); });
  return storage;
}

}  // namespace tensordsl

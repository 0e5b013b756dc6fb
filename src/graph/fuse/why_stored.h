// conv1, which relu1 and add1 read   ->   "%relu1 is computed with %add1; %add1 has another shape"
// Needs: groups of fuse.  Gives: the reasons, as text, why readers of a tensor do not compute it themselves.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"
#include "graph/fuse/find_prologue.h"
#include "graph/stages/fusion_barriers.h"

namespace tensordsl::graph {

class StoredReasons {
 public:
  /// Explains groups. `prologue`: null if every tensor is a group by itself. All arguments but the groups
  /// must outlive this.
  StoredReasons(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                const std::vector<std::vector<std::size_t>>& readers, const FusionBarriers& apart,
                const PrologueFinder* prologue, const std::vector<definitions::FusedGroup>& groups);

  /// "it is an output; %y is a contraction": all that read it, up to three by name.
  std::string why_stored(std::size_t tensor) const;

 private:
  std::string why_not_in(std::size_t tensor, std::size_t reader) const;
  std::string why_not_factor_of(std::size_t tensor, std::size_t reader) const;

  const definitions::DefinitionGraph& graph_;
  const definitions::TensorFuncs& funcs_;
  const std::vector<std::vector<std::size_t>>& readers_;
  const FusionBarriers& apart_;
  const PrologueFinder* prologue_;
  std::map<std::size_t, std::size_t> together_with_;  // by tensor, the first of its group
};

}  // namespace tensordsl::graph

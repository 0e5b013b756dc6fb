// What passes over a graph tell of themselves: data, for reports. Nobody decides by it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"

namespace tensordsl::graph {

/// What a pass did to a tensor, or why it left it as it is. Tensors are by their names in the model.
struct PassNote {
  std::string tensor;
  std::string text;               ///< "went into the indices of %y"
  std::vector<std::string> into;  ///< tensors that its definition is part of now
};
using PassNotes = std::vector<PassNote>;

/// The tensors that a graph computes, and how many groups it is cut into.
struct GraphSummary {
  std::vector<std::string> computed, movements;
  std::size_t groups = 0, moving_groups = 0;
};
GraphSummary summarize(const definitions::DefinitionGraph& graph,
                       const std::vector<definitions::FusedGroup>& groups);

/// True if all that the tensor's definition does is to move elements.
bool is_movement(const definitions::DefinitionGraph& graph, const definitions::TensorFuncs& funcs,
                 std::size_t tensor);

struct PassRecord {
  std::string name;
  GraphSummary before, after;
  PassNotes notes;
};

using PassRecords = std::vector<PassRecord>;

}  // namespace tensordsl::graph

// A log of the passes over a graph: data, for reports. No pass decides by it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"

namespace tensordsl::graph {

/// Effect of a pass on a tensor. Reports use it, and not the text or the name of a pass.
enum class PassOutcome {
  Described,  ///< nothing else: the text says how it is computed or stored
  Same,       ///< equals another tensor, element for element, which replaces it
  Merged,     ///< its definition is part of other tensors'
  Gone,       ///< removed: its readers read another tensor
  Kept,       ///< the pass removes tensors of this kind, but not this one
};

/// A note of a pass: its effect on a tensor, or why it had none. Tensors have their names in the model.
struct PassNote {
  std::string tensor;
  PassOutcome outcome = PassOutcome::Described;
  std::string text;  ///< "went into the indices of %y"; of one that is kept, why: "it is an output"
  std::vector<std::string> into;  ///< the tensor that it is the same as, or those that it is part of now
};
using PassNotes = std::vector<PassNote>;

/// "%x went into the indices of %y", "%x stays: it is an output"
std::string to_string(const PassNote& note);

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

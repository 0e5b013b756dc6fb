// A group with Funcs of its own between tensors whose layouts are known: the input of strategies.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "classify/classify.h"
#include "definitions/fused_group.h"
#include "tensordsl/func.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::definitions {

/// A tensor that a group reads, as an Input of its own.
struct GroupOperand {
  std::size_t tensor = 0;  ///< index of the tensor in the DefinitionGraph
  Func input;
  StoredTensor stored;
  bool is_constant = false;
};

/// A FusedGroup after define_group, or the Funcs of one kernel of a user's pipeline. It reads nothing but its
/// operands.
struct StoredGroup : GroupFuncs {
  std::string label;                 ///< "Conv+Clip", for reports
  std::vector<std::size_t> tensors;  ///< indices of the computed tensors in the DefinitionGraph, in order
  std::vector<std::size_t> stored_tensors;  ///< the outputs in the DefinitionGraph
  std::vector<Func> kept;  ///< pure Funcs that are computed once for a tile or a row of the output
  std::vector<GroupOperand> operands;
  std::vector<StoredTensor> stored;  ///< storage of the outputs
  GroupForm form = {};
  /// The class of each Func, with the roles of its axes: see classify_funcs().
  std::map<const ir::Function*, classify::Classification> classes = {};

  /// Returns the class of a Func of the group, as classify_funcs() found it. Schedules that change the Func
  /// since then do not change it.
  const classify::Classification& class_of(const ir::Function& function) const;
  const classify::Classification& class_of(const Func& func) const;
};

/// Classifies all Funcs of the group. Must be called when the group gets other Funcs.
void classify_funcs(StoredGroup& group);

}  // namespace tensordsl::definitions

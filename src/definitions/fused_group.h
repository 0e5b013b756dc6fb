// Funcs of a DefinitionGraph that become one kernel, before there are layouts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "definitions/group_form.h"
#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Funcs that are computed together. Each is in one of the first three lists, after those it reads.
struct GroupFuncs {
  std::vector<Func> prologue;  ///< computed where others read it: padded inputs, and small sums
  std::vector<Func> anchors;   ///< reductions, which the schedule is about; else the first Func
  std::vector<Func> epilogue;  ///< pure, applied as the anchors are stored
  std::vector<Func> outputs;   ///< the Funcs that are stored
};

/// A group of Funcs of the graph: fuse makes them, later passes join and rewrite them.
struct FusedGroup : GroupFuncs {
  std::string label;                 ///< "Conv+Clip", for reports
  std::vector<std::size_t> tensors;  ///< indices of the computed tensors in the DefinitionGraph, in order
  std::vector<std::size_t> stored_tensors;  ///< the outputs in the DefinitionGraph
  std::string reason;  ///< the reason why these are stored and not computed in their readers
  GroupForm form = {};
};

}  // namespace tensordsl::definitions

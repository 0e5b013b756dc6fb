// What is computed by one pipeline, between tensors that are stored.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tensordsl/func.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl {

/// A tensor that a group reads, as an Input of its own.
struct GroupOperand {
  std::size_t tensor = 0;  ///< of the DefinitionGraph
  Func input;
  StoredTensor stored;
  bool is_constant = false;
};

/// Funcs that are computed together. Each is in one of the three lists, after those it reads.
struct Group {
  std::string label;                 ///< "Conv+Clip", for reports
  std::vector<std::size_t> tensors;  ///< of the DefinitionGraph, that it computes, in order
  std::vector<Func> prologue;        ///< computed where others read it: padded inputs, and small sums
  std::vector<Func> kept;      ///< of the pure ones, what is computed once for a tile or a row of the output
  std::vector<Func> anchors;   ///< what the schedule is about: reductions; else the first Func
  std::vector<Func> epilogue;  ///< pure, applied as the anchors are stored
  std::vector<Func> outputs;   ///< of these, those that are stored
  std::vector<std::size_t> stored_tensors;  ///< what the outputs are in the DefinitionGraph
  std::string reason;                       ///< why these are stored and not computed in what reads them

  /// Empty while the Funcs are those of the DefinitionGraph; define_group gives a group Funcs of its own.
  std::vector<GroupOperand> operands;
  std::vector<StoredTensor> stored;  ///< how the outputs are stored
};

}  // namespace tensordsl

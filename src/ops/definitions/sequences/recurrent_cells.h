// The formulas of recurrent cells: from gates, and the state before, to the state after a step.
#pragma once

#include <array>
#include <cstddef>

#include "ops/attributes.h"
#include "tensordsl/expr.h"

namespace tensordsl::ops::definitions {

/// Returns activation function `i` of a gate, which attribute `clip` bounds first.
Expr cell_activation(const Attributes& attributes, std::size_t i, const Expr& gate);

/// The gates of an LSTM in ONNX's order: input, output, forget, cell.
struct LstmGates {
  std::array<Expr, 4> values;
  std::array<Expr, 3> peepholes;  ///< weights of the cell in the first three gates; undefined: none
};

struct LstmState {
  Expr h, c;
};

/// Returns the state after a step; an undefined `cell` before it is 0.
LstmState lstm_cell(const Attributes& attributes, const LstmGates& gates, const Expr& cell);

/// Returns the state after a step, from the update gate `z` and the candidate, both activated; an undefined
/// state before it is 0.
Expr gru_cell(const Expr& z, const Expr& candidate, const Expr& state);

}  // namespace tensordsl::ops::definitions

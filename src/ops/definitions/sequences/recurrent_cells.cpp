#include "ops/definitions/sequences/recurrent_cells.h"

#include <string>
#include <vector>

#include "ops/definitions/building_blocks.h"

namespace tensordsl::ops::definitions {
namespace {

Expr activated(const std::string& name, const Expr& x, double alpha, double beta) {
  if (name == "Affine") return alpha * x + beta;
  if (name == "Elu") return select(x < 0, alpha * (exp(x) - 1), x);
  if (name == "HardSigmoid") return limited(alpha * x + beta, 0, 1);
  if (name == "LeakyRelu") return select(x < 0, alpha * x, x);
  if (name == "Relu") return select(x < 0, 0, x);
  if (name == "ScaledTanh") return alpha * tanh(beta * x);
  if (name == "Sigmoid") return 1.0f / (1.0f + exp(-x));
  if (name == "Softplus") return select(x > 0, x + log(1 + exp(-x)), log(1 + exp(x)));
  if (name == "Softsign") return x / (1 + abs(x));
  if (name == "ThresholdedRelu") return select(x > alpha, x, 0);
  return tanh(x);
}

/// Activation function `i` of a value that `clip` does not bound.
Expr unclipped(const Attributes& attributes, std::size_t i, const Expr& value) {
  return activated(attributes.get<std::vector<std::string>>("activations")[i], value,
                   attributes.get<std::vector<double>>("activation_alpha")[i],
                   attributes.get<std::vector<double>>("activation_beta")[i]);
}

}  // namespace

Expr cell_activation(const Attributes& attributes, std::size_t i, const Expr& gate) {
  if (!attributes.has("clip")) return unclipped(attributes, i, gate);
  const double clip = attributes.get<double>("clip");
  return unclipped(attributes, i, limited(gate, -clip, clip));
}

LstmState lstm_cell(const Attributes& attributes, const LstmGates& gates, const Expr& cell) {
  const auto peeped = [&](std::size_t gate, const Expr& seen) {
    const bool peeps = gates.peepholes[gate].defined() && seen.defined();
    return peeps ? gates.values[gate] + gates.peepholes[gate] * seen : gates.values[gate];
  };
  const Expr i = cell_activation(attributes, 0, peeped(0, cell));
  LstmState after;
  after.c = i * cell_activation(attributes, 1, gates.values[3]);
  if (cell.defined()) {
    const bool is_coupled = attributes.get<std::int64_t>("input_forget") == 1;
    const Expr f = is_coupled ? 1 - i : cell_activation(attributes, 0, peeped(2, cell));
    after.c = f * cell + after.c;
  }
  const Expr o = cell_activation(attributes, 0, peeped(1, after.c));
  // ONNX Runtime applies `clip` to the gates, not to the cell; this does the same.
  after.h = o * unclipped(attributes, 2, after.c);
  return after;
}

Expr gru_cell(const Expr& z, const Expr& candidate, const Expr& state) {
  const Expr value = (1 - z) * candidate;
  return state.defined() ? value + z * state : value;
}

}  // namespace tensordsl::ops::definitions

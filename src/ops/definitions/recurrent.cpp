#include "ops/definitions/building_blocks.h"
#include "ops/definitions/definitions.h"

namespace tensordsl::definitions {
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

/// One step of one element; the inputs that all kinds have stand in the same places.
class Step {
 public:
  explicit Step(const OperatorOperands& operands, std::size_t lengths)
      : operands_(operands), vars_(index_vars(operands.output().shape)) {
    const Expr number = clamp(read(operands, 1, {0}), 0, index(operands.infos[0].shape[0] - 1));
    at_ = number;
    if (operands.has_input(lengths)) is_inside_ = number < read(operands, lengths, {vars_[0]});
  }

  const std::vector<Var>& vars() const { return vars_; }
  /// What goes into gate `i`, which begins at column `first` if that is given.
  Expr gate(std::int64_t i, std::int64_t first = 0) const {
    const Expr value = projected(i, first);
    return operands_.has_input(2) ? value + product(i, first) : value;
  }
  Expr projected(std::int64_t i, std::int64_t first = 0) const {
    return accumulated(read(operands_, 0, {at_, vars_[0], column(i, first)}));
  }
  Expr product(std::int64_t i, std::int64_t first = 0) const {
    const Size& rows = operands_.infos[2].shape[0];
    const bool is_repeated = rows == Size(1) && operands_.output().shape[0] != Size(1);
    const Expr row = is_repeated ? Expr(0) : Expr(vars_[0]);
    return accumulated(read(operands_, 2, {row, column(i, first)}));
  }
  /// Operand `i`, a tensor like the output.
  Expr state(std::size_t i) const { return accumulated(read(operands_, i, {vars_[0], vars_[1]})); }
  /// Activation function `i` of a gate, which is clipped before, or of another value.
  Expr activation(std::size_t i, const Expr& gate) const {
    if (!operands_.attributes.has("clip")) return unclipped(i, gate);
    const double clip = operands_.attributes.get<double>("clip");
    return unclipped(i, limited(gate, -clip, clip));
  }
  Expr unclipped(std::size_t i, const Expr& value) const {
    const Attributes& attributes = operands_.attributes;
    return activated(attributes.get<std::vector<std::string>>("activations")[i], value,
                     attributes.get<std::vector<double>>("activation_alpha")[i],
                     attributes.get<std::vector<double>>("activation_beta")[i]);
  }
  /// `value`; what operand `before` holds, or 0, for sequences that have ended.
  Expr kept(const Expr& value, std::size_t before) const {
    if (!is_inside_.defined()) return value;
    return select(is_inside_, value, operands_.has_input(before) ? state(before) : cast(value.type(), 0));
  }

 private:
  Expr column(std::int64_t i, std::int64_t first) const {
    return shifted(vars_[1], first + i * operands_.attributes.get<std::int64_t>("hidden_size"));
  }

  const OperatorOperands& operands_;
  std::vector<Var> vars_;
  Expr at_, is_inside_;
};

}  // namespace

std::vector<Func> rnn_step(const OperatorOperands& operands) {
  const Step step(operands, 4);
  const Expr value = step.activation(0, step.gate(0, operands.attributes.get<std::int64_t>("first")));
  return {output(operands, step.vars(), step.kept(value, 3))};
}

std::vector<Func> gru_step(const OperatorOperands& operands) {
  const Step step(operands, 5);
  const Expr z = step.activation(0, step.gate(0));
  Expr candidate = step.projected(2);
  if (operands.attributes.get<std::int64_t>("linear_before_reset") == 1) {
    if (operands.has_input(2)) candidate = candidate + step.activation(0, step.gate(1)) * step.product(2);
  } else if (operands.has_input(4)) {
    candidate = candidate + step.state(4);
  }
  Expr value = (1 - z) * step.activation(1, candidate);
  if (operands.has_input(3)) value = value + z * step.state(3);
  return {output(operands, step.vars(), step.kept(value, 3))};
}

std::vector<Func> lstm_step(const OperatorOperands& operands) {
  const Step step(operands, 6);
  // Gates are in the order i, o, f, c, and so are the peepholes of the first three.
  const auto peeped = [&](std::int64_t gate, const Expr& cell) {
    if (!operands.has_input(5) || !cell.defined()) return step.gate(gate);
    const std::int64_t hidden = operands.attributes.get<std::int64_t>("hidden_size");
    return step.gate(gate) + accumulated(read(operands, 5, {shifted(step.vars()[1], gate * hidden)})) * cell;
  };
  Expr before;
  if (operands.has_input(4)) before = step.state(4);
  const Expr i = step.activation(0, peeped(0, before));
  Expr cell = i * step.activation(1, step.gate(3));
  if (before.defined()) {
    const bool is_coupled = operands.attributes.get<std::int64_t>("input_forget") == 1;
    const Expr f = is_coupled ? 1 - i : step.activation(0, peeped(2, before));
    cell = f * before + cell;
  }
  const Expr o = step.activation(0, peeped(1, cell));
  // As ONNX Runtime has it, `clip` is for gates, not for the cell.
  std::vector<Func> results{output(operands, step.vars(), step.kept(o * step.unclipped(2, cell), 3))};
  if (operands.outputs.size() > 1) {
    Func cells(operands.name + "_cell");
    cells(step.vars()) = cast(operands.outputs[1].type, step.kept(cell, 4));
    results.push_back(cells);
  }
  return results;
}

}  // namespace tensordsl::definitions

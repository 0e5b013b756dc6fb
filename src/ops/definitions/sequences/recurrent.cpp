#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/sequences/recurrent_cells.h"

namespace tensordsl::ops::definitions {
namespace {

/// One step of one element; the inputs that all kinds have are at the same positions.
class Step {
 public:
  explicit Step(const OperatorOperands& operands, std::size_t lengths)
      : operands_(operands), vars_(index_vars(operands.output().shape)) {
    const Expr number = clamp(read(operands, 1, {0}), 0, index(operands.infos[0].shape[0] - 1));
    at_ = number;
    if (operands.has_input(lengths)) is_inside_ = number < read(operands, lengths, {vars_[0]});
  }

  const std::vector<Var>& vars() const { return vars_; }
  /// The pre-activation of gate `i`: its input projection plus its recurrent product. The gate begins at
  /// column `first` of the weights if that is given.
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
  /// Element of the peephole weights, operand `i`, of a gate.
  Expr peephole(std::size_t i, std::int64_t gate) const {
    return accumulated(read(operands_, i, {column(gate, 0)}));
  }
  Expr activation(std::size_t i, const Expr& gate) const {
    return cell_activation(operands_.attributes, i, gate);
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
  const Expr before = operands.has_input(3) ? step.state(3) : Expr();
  const Expr value = gru_cell(z, step.activation(1, candidate), before);
  return {output(operands, step.vars(), step.kept(value, 3))};
}

std::vector<Func> lstm_step(const OperatorOperands& operands) {
  const Step step(operands, 6);
  LstmGates gates;
  for (std::size_t i = 0; i < gates.values.size(); ++i)
    gates.values[i] = step.gate(static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < gates.peepholes.size() && operands.has_input(5); ++i)
    gates.peepholes[i] = step.peephole(5, static_cast<std::int64_t>(i));
  const LstmState after =
      lstm_cell(operands.attributes, gates, operands.has_input(4) ? step.state(4) : Expr());
  std::vector<Func> results{output(operands, step.vars(), step.kept(after.h, 3))};
  if (operands.outputs.size() > 1) {
    Func cells(operands.name + "_cell");
    cells(step.vars()) = cast(operands.outputs[1].type, step.kept(after.c, 4));
    results.push_back(cells);
  }
  return results;
}

}  // namespace tensordsl::ops::definitions

// All steps of a recurrent network in one Func, of which every step reads the row that the step before wrote.
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/sequences/recurrent_cells.h"

namespace tensordsl::ops::definitions {
namespace {

/// Rows of elements: one for the state before the first step and one or more for each step. Element `j` of
/// row `row` of sequence `n` is at these variables. The components before the state hold the sums of a row's
/// gates.
class StateRows {
 public:
  /// `lengths`: the operand that holds the lengths of the sequences. `rows`: rows of a step.
  StateRows(const OperatorOperands& operands, std::size_t lengths, int rows = 1)
      : operands_(operands),
        lengths_(lengths),
        rows_(rows),
        hidden_(operands.attributes.get<std::int64_t>("hidden_size")),
        is_reverse_(operands.attributes.get<std::int64_t>("reverse") == 1),
        steps_(operands.infos[0].shape[0]) {}

  const Var n{"n"}, row{"row"}, j{"j"};
  /// Over the rows after the first, the elements of each, and the elements of the row before.
  RDom domain() const {
    const Expr hidden = static_cast<int>(hidden_);
    return RDom({{0, index(steps_ * rows_)}, {0, hidden}, {0, hidden}}, "r");
  }
  /// The time step of the input that is processed as number `number`.
  Expr time(const Expr& number) const { return is_reverse_ ? index(steps_ - 1) - number : number; }
  /// Returns the input's part of gate `gate` at the step that is processed as number `number`.
  Expr projected(const Expr& number, std::int64_t gate, const Expr& element) const {
    return accumulated(read(operands_, 0, {time(number), n, shifted(element, gate * hidden_)}));
  }
  /// The weight of element `k` of the state, in column `column`.
  Expr weight(const Expr& k, const Expr& column) const {
    return accumulated(read(operands_, 1, {k, column}));
  }
  Expr column(std::int64_t gate, const Expr& element) const { return shifted(element, gate * hidden_); }
  /// Element `element` of part `part` of operand `i`, a vector; 0 if that is absent.
  Expr of_vector(std::size_t i, std::int64_t part, const Expr& element) const {
    if (!operands_.has_input(i)) return constant(type(), 0);
    return accumulated(read(operands_, i, {column(part, element)}));
  }
  /// Returns `first` in the row before all steps, `others` in the rows of steps.
  Expr start(const Expr& first, const Expr& others) const { return select(row > 0, others, first); }
  /// Operand `i`, the state before the first step; 0 if it is absent.
  Expr initial(std::size_t i) const {
    if (!operands_.has_input(i)) return constant(type(), 0);
    return accumulated(read(operands_, i, {n, j}));
  }
  Type type() const { return accumulated(read(operands_, 0, {0, n, j})).type(); }
  /// `complete` at the last element of the row before, when sums are complete; `partial` at those before.
  Expr at_last(const Expr& k, const Expr& complete, const Expr& partial) const {
    return select(k < static_cast<int>(hidden_ - 1), partial, complete);
  }
  /// `after`; `before` for sequences that have ended before the step that is processed as number `number`.
  Expr kept(const Expr& number, const Expr& after, const Expr& before) const {
    if (!operands_.has_input(lengths_)) return after;
    return select(time(number) < read(operands_, lengths_, {n}), after, before);
  }

  /// The states of all steps, 0 after the end of a sequence, then the last one, and the last of the cells if
  /// the output has a row for it.
  std::vector<Func> output_of(const Func& states, int h, int cell = 0) const {
    const std::vector<Var> vars = index_vars(operands_.output().shape);
    const Expr t = vars[0], last = index(steps_ * rows_), behind = index(steps_);
    const auto at = [&](const Expr& at_row, int component) -> Expr {
      return states(vars[1], at_row, vars[2])[component];
    };
    Expr of_step = at(scaled(time(t) + 1, rows_), h);
    if (operands_.has_input(lengths_))
      of_step = select(t < read(operands_, lengths_, {vars[1]}), of_step, constant(type(), 0));
    Expr of_end = at(last, h);
    if (operands_.output().shape[0] == steps_ + 2) of_end = select(t == behind, of_end, at(last, cell));
    return {output(operands_, vars, select(t < behind, of_step, of_end))};
  }

 private:
  const OperatorOperands& operands_;
  std::size_t lengths_;
  int rows_;
  std::int64_t hidden_;
  bool is_reverse_;
  Size steps_;
};

/// GRU whose reset gate acts on a product: its sum is a component of its own.
std::vector<Func> gru_reset_behind_product(const OperatorOperands& operands) {
  enum { Z, R, Product, H };
  const StateRows rows(operands, 4);
  const Attributes& attributes = operands.attributes;
  Func states(operands.name + "_states");
  const auto gate = [&](std::int64_t i) {
    const Expr zero = constant(rows.type(), 0);
    return rows.start(zero, rows.projected(rows.row - 1, i, rows.j) + rows.of_vector(3, i, rows.j));
  };
  states(rows.n, rows.row, rows.j) = Tuple{gate(0), gate(1), rows.of_vector(3, 2, rows.j), rows.initial(2)};

  const RDom r = rows.domain();
  const Expr step = r[0], j = r[1], k = r[2];
  const FuncRef own = states(rows.n, step + 1, j), before = states(rows.n, step, j);
  const Expr state_k = states(rows.n, step, k)[H];
  const auto added = [&](int component, std::int64_t i) {
    return own[component] + rows.weight(k, rows.column(i, j)) * state_k;
  };
  const Expr z = added(Z, 0), reset = added(R, 1), product = added(Product, 2);
  const Expr candidate = rows.projected(step, 2, j) + cell_activation(attributes, 0, reset) * product;
  const Expr after =
      gru_cell(cell_activation(attributes, 0, z), cell_activation(attributes, 1, candidate), before[H]);
  states(rows.n, step + 1, j) =
      Tuple{z, reset, product, rows.at_last(k, rows.kept(step, after, before[H]), own[H])};
  return rows.output_of(states, H);
}

/// GRU whose reset gate acts on the state before the product. A step has two rows: in the first one both
/// gates are added up and the state is reset, in the second one the candidate is.
std::vector<Func> gru_reset_before_product(const OperatorOperands& operands) {
  enum { Sum, Reset, H };
  const StateRows rows(operands, 4, 2);
  const Attributes& attributes = operands.attributes;
  Func states(operands.name + "_states");
  const Expr zero = constant(rows.type(), 0);
  const Expr number = (rows.row - 1) / 2, is_first = rows.row % 2 == 1;
  const auto gate = [&](std::int64_t i) { return rows.projected(number, i, rows.j); };
  states(rows.n, rows.row, rows.j) =
      Tuple{rows.start(zero, select(is_first, gate(0), gate(2))),
            rows.start(zero, select(is_first, gate(1), zero)), rows.initial(2)};

  const RDom r = rows.domain();
  const Expr step = r[0] / 2, adds_gates = r[0] % 2 == 0, j = r[1], k = r[2];
  const FuncRef own = states(rows.n, r[0] + 1, j), before = states(rows.n, r[0], j),
                behind = states(rows.n, r[0], k);
  const auto weight = [&](std::int64_t i) { return rows.weight(k, rows.column(i, j)); };
  const Expr sum = own[Sum] + select(adds_gates, weight(0) * behind[H], weight(2) * behind[Reset]);
  const Expr reset = own[Reset] + select(adds_gates, weight(1) * behind[H], zero);
  const Expr of_gates = cell_activation(attributes, 0, reset) * before[H];
  const Expr after =
      gru_cell(cell_activation(attributes, 0, before[Sum]), cell_activation(attributes, 1, sum), before[H]);
  const Expr state = select(adds_gates, static_cast<Expr>(before[H]), rows.kept(step, after, before[H]));
  states(rows.n, r[0] + 1, j) =
      Tuple{sum, rows.at_last(k, select(adds_gates, of_gates, reset), reset), rows.at_last(k, state, own[H])};
  return rows.output_of(states, H);
}

}  // namespace

std::vector<Func> rnn_states(const OperatorOperands& operands) {
  enum { Sum, H };
  const StateRows rows(operands, 3);
  Func states(operands.name + "_states");
  const Expr zero = constant(rows.type(), 0);
  states(rows.n, rows.row, rows.j) =
      Tuple{rows.start(zero, rows.projected(rows.row - 1, 0, rows.j)), rows.initial(2)};

  const RDom r = rows.domain();
  const Expr step = r[0], j = r[1], k = r[2];
  const FuncRef own = states(rows.n, step + 1, j);
  const Expr sum = own[Sum] + rows.weight(k, j) * states(rows.n, step, k)[H];
  const Expr after =
      rows.kept(step, cell_activation(operands.attributes, 0, sum), states(rows.n, step, j)[H]);
  states(rows.n, step + 1, j) = Tuple{sum, rows.at_last(k, after, own[H])};
  return rows.output_of(states, H);
}

std::vector<Func> gru_states(const OperatorOperands& operands) {
  return operands.attributes.get<std::int64_t>("linear_before_reset") == 1
             ? gru_reset_behind_product(operands)
             : gru_reset_before_product(operands);
}

std::vector<Func> lstm_states(const OperatorOperands& operands) {
  enum { C = 4, H = 5 };  // after the sums of the gates
  const StateRows rows(operands, 5);
  Func states(operands.name + "_states");
  std::vector<Expr> values;
  for (std::int64_t i = 0; i < 4; ++i)
    values.push_back(rows.start(constant(rows.type(), 0), rows.projected(rows.row - 1, i, rows.j)));
  values.push_back(rows.start(rows.initial(3), constant(rows.type(), 0)));
  values.push_back(rows.start(rows.initial(2), constant(rows.type(), 0)));
  states(rows.n, rows.row, rows.j) = Tuple(values);

  const RDom r = rows.domain();
  const Expr step = r[0], j = r[1], k = r[2];
  const FuncRef own = states(rows.n, step + 1, j), before = states(rows.n, step, j);
  const Expr state_k = states(rows.n, step, k)[H];
  LstmGates gates;
  for (int i = 0; i < 4; ++i)
    gates.values[static_cast<std::size_t>(i)] = own[i] + rows.weight(k, rows.column(i, j)) * state_k;
  for (std::size_t i = 0; i < gates.peepholes.size() && operands.has_input(4); ++i)
    gates.peepholes[i] = rows.of_vector(4, static_cast<std::int64_t>(i), j);
  const LstmState after = lstm_cell(operands.attributes, gates, before[C]);
  const auto complete = [&](const Expr& value, int component) {
    return rows.at_last(k, rows.kept(step, value, before[component]), own[component]);
  };
  states(rows.n, step + 1, j) = Tuple{gates.values[0], gates.values[1],      gates.values[2],
                                      gates.values[3], complete(after.c, C), complete(after.h, H)};
  return rows.output_of(states, H, C);
}

}  // namespace tensordsl::ops::definitions

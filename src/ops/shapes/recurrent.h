// One step of a recurrent network. Before it: projected [T,N,..], what the inputs of all steps give with the
// weights and biases; step i32 [2], the number of the step first; product [N or 1,..], what the state before
// gives; lengths i32 [N], after which a sequence keeps its state. Columns of gates stand side by side, each
// hidden_size wide.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// RNN: projected, step, product or absent, state [N,H] or absent, lengths or absent -> state [N,H]. Its gate
/// begins at column `first`.
InferredNode rnn_step(const OperatorCall& call);
/// GRU: projected, step, product or absent (of z and r, with linear_before_reset of h too), state [N,H] or
/// absent, product of h [N,H] or absent, lengths or absent -> state [N,H].
InferredNode gru_step(const OperatorCall& call);
/// LSTM: projected, step, product or absent, state [N,H] or absent, cell [N,H] or absent, peepholes [3*H] or
/// absent, lengths or absent -> state [N,H], cell [N,H].
InferredNode lstm_step(const OperatorCall& call);

/// RNNStates: all steps. projected [T,N,H], recurrence [H,H], state [N,H] or absent, lengths or absent ->
/// [T + 1,N,H]: the states, 0 behind the end of a sequence, and the last state. With `reverse` the last step
/// comes first.
/// GRUStates: projected [T,N,3*H], recurrence [H,3*H], state [N,H] or absent, biases [3*H] of the product,
/// with linear_before_reset, or absent, lengths or absent -> [T + 1,N,H]
InferredNode recurrent_states(const OperatorCall& call);
/// LSTMStates: projected [T,N,4*H], recurrence [H,4*H], state [N,H] or absent, cell [N,H] or absent,
/// peepholes [3*H] or absent, lengths or absent -> [T + 2,N,H], the last row is the last cell
InferredNode lstm_states(const OperatorCall& call);

}  // namespace tensordsl::shapes

#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kRecurrentOperators{
    OperatorSpec{
        "GRU",
        {7, kLatest},
        {2, 6},
        normalize::gru,
        shapes::gru_step,
        definitions::gru_step,
        {"activation_alpha", "activation_beta", "activations", "clip", "hidden_size", "linear_before_reset"},
        2},
    OperatorSpec{
        "LSTM",
        {7, kLatest},
        {2, 7},
        normalize::lstm,
        shapes::lstm_step,
        definitions::lstm_step,
        {"activation_alpha", "activation_beta", "activations", "clip", "hidden_size", "input_forget"},
        3},
    OperatorSpec{"RNN",
                 {7, kLatest},
                 {2, 5},
                 normalize::rnn,
                 shapes::rnn_step,
                 definitions::rnn_step,
                 {"activation_alpha", "activation_beta", "activations", "clip", "first", "hidden_size"},
                 2},
};
static_assert(std::ranges::is_sorted(kRecurrentOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> recurrent() { return kRecurrentOperators; }

}  // namespace tensordsl::ops::tables

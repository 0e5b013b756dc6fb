#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/loop_marks.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kSteps{
    OperatorSpec{"CastToNarrow",
                 {},
                 {1, 1},
                 nullptr,
                 shapes::cast_to_narrow,
                 definitions::cast_to_narrow,
                 {"round_mode", "saturate", "to"}},
    OperatorSpec{
        "Frames", {}, {1, 2}, nullptr, shapes::frames, definitions::frames, {"frame_length", "frame_step"}},
    OperatorSpec{"GRUStates",
                 {},
                 {2, 5},
                 nullptr,
                 shapes::recurrent_states,
                 definitions::gru_states,
                 {"activation_alpha", "activation_beta", "activations", "clip", "hidden_size",
                  "linear_before_reset", "reverse"}},
    OperatorSpec{"KeyChanges", {}, {1, 1}, nullptr, shapes::of_keys, definitions::key_changes},
    OperatorSpec{"KeyCounts", {}, {2, 2}, nullptr, shapes::key_counts, definitions::key_counts, {"piece"}},
    OperatorSpec{
        "KeyPlaces", {}, {4, 4}, nullptr, shapes::key_places, definitions::key_places, {"k", "piece"}},
    OperatorSpec{"KeyRanks", {}, {1, 1}, nullptr, shapes::of_keys, definitions::key_ranks, {"piece"}},
    OperatorSpec{"KeySums", {}, {1, 1}, nullptr, shapes::key_sums, definitions::key_sums, {}, 2},
    OperatorSpec{
        "KeyThreshold", {}, {2, 3}, nullptr, shapes::key_threshold, definitions::key_threshold, {"k"}},
    OperatorSpec{"LSTMStates",
                 {},
                 {2, 6},
                 nullptr,
                 shapes::lstm_states,
                 definitions::lstm_states,
                 {"activation_alpha", "activation_beta", "activations", "clip", "hidden_size", "input_forget",
                  "reverse"}},
    OperatorSpec{"LoopBegin",
                 {},
                 {0, kAny},
                 nullptr,
                 shapes::loop_begin,
                 nullptr,
                 {kLoopCarried, kLoopKey, kLoopOf, kLoopStep},
                 kAny},
    OperatorSpec{
        "LoopElement", {}, {1, 1}, nullptr, shapes::loop_element, definitions::loop_element, {"at", "axis"}},
    OperatorSpec{
        "LoopEnd",
        {},
        {1, kAny},
        nullptr,
        shapes::loop_end,
        nullptr,
        {kLoopCarried, kLoopIsConditional, kLoopKey, kLoopOf, kLoopRows, kLoopStep, kLoopSteps, kLoopTaken},
        kAny},
    OperatorSpec{
        "MaskedSoftmax", {}, {1, 1}, nullptr, shapes::softmax, definitions::masked_softmax, {"axis"}},
    OperatorSpec{"MergePlaces", {}, {1, 1}, nullptr, shapes::of_keys, definitions::merge_places, {"run"}},
    OperatorSpec{"QuantizationParameters",
                 {},
                 {1, 1},
                 nullptr,
                 shapes::quantization_parameters,
                 definitions::quantization_parameters},
    OperatorSpec{"RNNStates",
                 {},
                 {2, 4},
                 nullptr,
                 shapes::recurrent_states,
                 definitions::rnn_states,
                 {"activation_alpha", "activation_beta", "activations", "clip", "hidden_size", "reverse"}},
    OperatorSpec{"ResizeAlong",
                 {},
                 {2, 2},
                 nullptr,
                 shapes::resize_along,
                 definitions::resize_along,
                 {"axis", "coordinate_transformation_mode", "extrapolation_value", "roi", "scales"}},
    OperatorSpec{"ResizeWeights",
                 {},
                 {0, 0},
                 nullptr,
                 shapes::resize_weights,
                 definitions::resize_weights,
                 {"axis", "coordinate_transformation_mode", "cubic_coeff_a", "exclude_outside", "extent",
                  "mode", "roi", "scales", "sizes", "taps", "type"}},
    OperatorSpec{
        "RowExtremes", {}, {1, 1}, nullptr, shapes::row_extremes, definitions::row_extremes, {"axis"}},
    OperatorSpec{"SamplePlaces",
                 {},
                 {1, 1},
                 nullptr,
                 shapes::sample_places,
                 definitions::sample_places,
                 {"align_corners", "extents", "padding_mode"},
                 2},
    OperatorSpec{"Samples", {}, {3, 3}, nullptr, shapes::samples, definitions::samples, {"groups"}},
    OperatorSpec{"SortKeys", {}, {1, 1}, nullptr, shapes::sort_keys, definitions::sort_keys, {"largest"}},
    OperatorSpec{"WholeAveragePool",
                 {},
                 {1, 1},
                 nullptr,
                 shapes::average_pool,
                 definitions::whole_average_pool,
                 {"auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides"}},
    OperatorSpec{"WindowPlaces",
                 {},
                 {1, 2},
                 nullptr,
                 shapes::window_places,
                 definitions::window_places,
                 {"dilations", "extents", "kernel_shape", "pads", "strides"},
                 2},
};
static_assert(std::ranges::is_sorted(kSteps, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> steps() { return kSteps; }

}  // namespace tensordsl::ops::tables

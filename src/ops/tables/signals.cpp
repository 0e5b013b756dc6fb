#include <algorithm>

#include "ops/definitions/operator_definitions.h"
#include "ops/normalize/normalize_rules.h"
#include "ops/shapes/shape_rules.h"
#include "ops/tables/tables.h"

namespace tensordsl::ops::tables {
namespace {

constexpr std::array kSignalOperators{
    OperatorSpec{"BlackmanWindow",
                 {17, kLatest},
                 {0, 0},
                 normalize::window_function,
                 shapes::window_function,
                 definitions::blackman_window,
                 {"output_datatype", "periodic", "size"}},
    OperatorSpec{"DFT",
                 {17, kLatest},
                 {1, 1},
                 normalize::dft,
                 shapes::dft,
                 definitions::dft,
                 {"axis", "dft_length", "inverse", "onesided"}},
    OperatorSpec{"HammingWindow",
                 {17, kLatest},
                 {0, 0},
                 normalize::window_function,
                 shapes::window_function,
                 definitions::hamming_window,
                 {"output_datatype", "periodic", "size"}},
    OperatorSpec{"HannWindow",
                 {17, kLatest},
                 {0, 0},
                 normalize::window_function,
                 shapes::window_function,
                 definitions::hann_window,
                 {"output_datatype", "periodic", "size"}},
    OperatorSpec{"MelWeightMatrix",
                 {17, kLatest},
                 {1, 1},
                 normalize::mel_weight_matrix,
                 shapes::mel_weight_matrix,
                 definitions::mel_weight_matrix,
                 {"output_datatype", "spectrogram_bins"}},
    OperatorSpec{"STFT",
                 {17, kLatest},
                 {1, 2},
                 normalize::stft,
                 shapes::stft,
                 definitions::stft,
                 {"frame_length", "frame_step", "onesided"}},
};
static_assert(std::ranges::is_sorted(kSignalOperators, {}, &OperatorSpec::name));

}  // namespace

std::span<const OperatorSpec> signals() { return kSignalOperators; }

}  // namespace tensordsl::ops::tables

// Spectra, windows over signals, and the matrix between spectra and mel bins.
#pragma once

#include "ops/shapes/inferred_node.h"

namespace tensordsl::shapes {

/// HannWindow, HammingWindow, BlackmanWindow: [size] of type output_datatype.
InferredNode window_function(const OperatorCall& call);
/// DFT: [.., length, .., 1 or 2] to dft_length frequencies along axis, and 2 at the end. onesided: to
/// dft_length / 2 + 1; if inverse, from so many complex numbers to dft_length real ones, with 1 at the end.
InferredNode dft(const OperatorCall& call);
/// STFT: [batch, length, 1 or 2] and a window of [frame_length] to [batch, frames, frequencies, 2].
InferredNode stft(const OperatorCall& call);
/// MelWeightMatrix: bins [mel bins + 2] to [spectrogram_bins, mel bins] of type output_datatype.
InferredNode mel_weight_matrix(const OperatorCall& call);

}  // namespace tensordsl::shapes

// A convolution with one directive more at each step: docs/tutorials/FAST_CONVOLUTION.md.
#pragma once

#include <tensordsl/tensordsl.h>

#include <string>
#include <vector>

/// A 3x3 convolution of 64 channels to 64, over 56 x 56 pixels, padded by zeros, with bias and ReLU.
/// Inputs: "image" [56, 56, 64], "weights" [64, 3, 3, 64], "bias" [64]; f32.
inline constexpr int kSize = 56, kChannels = 64;

struct ConvolutionStep {
  std::string name;     ///< a word for it
  tensordsl::Func out;  ///< the definition with the step's schedule
};

/// The steps, each with all that those before it have.
std::vector<ConvolutionStep> convolution_steps();

// Convolutions with weights of many values.
#pragma once

#include <string>

#include "support/onnx_model.h"

namespace tensordsl::testing {

/// The sizes of a convolution of x[1, inputs, rows, columns].
struct SmallConvolution {
  std::int64_t inputs = 16, outputs = 64, rows = 16, columns = 16;
  Ints kernel{3, 3}, strides{1, 1}, dilations{1, 1}, pads{1, 1, 1, 1};
  int groups = 1;
  std::int64_t batch = 1;

  Ints input_shape() const { return {batch, inputs, rows, columns}; }
  Ints weight_shape() const { return {outputs, inputs / groups, kernel[0], kernel[1]}; }

  /// `y` of `x`, with weights that are called `weights`, which are added.
  void append(OnnxModel& model, const std::string& x, const std::string& y,
              const std::string& weights) const {
    const Ints shape = weight_shape();
    Floats values(static_cast<std::size_t>(shape[0] * shape[1] * shape[2] * shape[3]));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i * 37 % 23) / 16.0F - 0.7F;
    model.floats(weights, shape, values);
    append_without_weights(model, x, y, weights);
  }
  void append_without_weights(OnnxModel& model, const std::string& x, const std::string& y,
                              const std::string& weights) const {
    model.node("Conv", {x, weights}, {y},
               {attribute("pads", pads), attribute("strides", strides), attribute("dilations", dilations),
                attribute("group", groups)});
  }
};

}  // namespace tensordsl::testing

// A model of one small kernel, and a command line that runs it.
#pragma once

#include <algorithm>
#include <string>

#include "cli/command_line.h"
#include "runtime/buffer/npz.h"
#include "support/onnx_model.h"

namespace tensordsl::testing {

/// y = relu(x*w + b), one small kernel, in model.onnx; its input and output in in.npz and expect.npz.
class SmallModel : public CommandLine {
 public:
  SmallModel() {
    OnnxModel model;
    model.input("x", {1, 8}).floats("w", {1}, {2.0f}).floats("b", {8}, {-3, -2, -1, 0, 1, 2, 3, 4});
    model.node("Mul", {"x", "w"}, {"xw"})
        .node("Add", {"xw", "b"}, {"xwb"})
        .node("Relu", {"xwb"}, {"y"})
        .output("y");
    write("model.onnx", model.proto.SerializeAsString());
    Buffer x(Float(32), {1, 8}), y(Float(32), {1, 8});
    for (std::int64_t i = 0; i < 8; ++i) {
      x.set(i, static_cast<double>(i) * 0.5 - 1);
      y.set(i, std::max(0.0, 2 * x.get(i) + static_cast<double>(i) - 3));
    }
    runtime::write_npz(path("in.npz"), {{"x", x}});
    runtime::write_npz(path("expect.npz"), {{"y", y}});
  }
  std::string model() const { return path("model.onnx"); }
};

}  // namespace tensordsl::testing

// A model's file as a Program: what `tensordsl run` and `tensordsl compile` do, in C++.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/default_input.h"
#include "tensordsl/device.h"
#include "tensordsl/expr.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/precision.h"
#include "tensordsl/program.h"
#include "tensordsl/runner.h"
#include "tensordsl/type.h"

namespace tensordsl {

struct ModelOptions {
  /// Weights whose external file is absent get the values that models/fill_weights.py gives them.
  bool random_weights = false;
  /// Sizes of symbolic dimensions by name; the unnamed dimension d of input x is called "x[d]".
  std::map<std::string, std::int64_t> dims{};
};

/// What a Program is compiled for. Nothing has to be known: then schedules take general figures.
struct CompileTarget {
  std::optional<DeviceInfo> device;  ///< whose limits and features the kernels may use
  std::optional<HwProfile> profile;  ///< what schedules go by; else what follows from `device`
  Precision precision = Precision::Float32;
  int threads = 0;  ///< that lower kernels at most; 0: one for each core
  std::function<void(int done, int total)> progress;
};

/// An input or output of a model, row-major.
struct ModelTensor {
  std::string name;
  Type type;
  std::vector<Expr> shape;  ///< empty for a scalar
};

/// An ONNX model. A value: copies share what they hold, and may be compiled by several threads at once.
class Model {
 public:
  /// Reads a file of opset 7 to 22. Throws ModelError, one line that starts with the file's name.
  static Model load(const std::string& path, const ModelOptions& options = {});

  /// In the model's order; a Program of it has the same ones.
  std::vector<ModelTensor> inputs() const;
  std::vector<ModelTensor> outputs() const;

  /// Needs no device. The Program does not depend on the number of threads. Throws what lowering throws.
  Program compile(const CompileTarget& target = {}) const;

  /// Compiles for the device and places the model on it. The Device must outlive the Runner.
  Runner run(Device& device, Precision precision = Precision::Float32) const;

  /// One stage of the compilation as text: "graph" (operators), "classes", "groups", "layouts", "funcs",
  /// "nest", "loops", "ir", "cl" or "program". `filter`: only kernels whose label, output or name contains
  /// it; "graph" and "program" are whole. Throws Error on another stage.
  std::string emit(const std::string& stage, const CompileTarget& target = {},
                   const std::string& filter = "") const;

 private:
  struct Contents;
  explicit Model(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}
  std::shared_ptr<const Contents> contents_;
};

}  // namespace tensordsl

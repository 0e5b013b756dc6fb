// A model's file as a Program: what `tensordsl run` and `tensordsl compile` do, in C++.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tensordsl/autoschedule.h"
#include "tensordsl/buffer.h"
#include "tensordsl/default_input.h"
#include "tensordsl/device.h"
#include "tensordsl/expr.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/inspection.h"
#include "tensordsl/model_file.h"
#include "tensordsl/operator_table.h"
#include "tensordsl/optimizations.h"
#include "tensordsl/picture.h"
#include "tensordsl/precision.h"
#include "tensordsl/program.h"
#include "tensordsl/runner.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// How a model's file is read, and what is changed in it on the way.
struct ModelOptions {
  /// Weights whose external file is absent get the values that models/fill_weights.py gives them.
  bool random_weights = false;
  /// Sizes of symbolic dimensions by name; the unnamed dimension d of input x is called "x[d]". Those that
  /// are not here stay Params of the Program, which then runs at any size from 1 on.
  std::map<std::string, std::int64_t> dims{};
  /// On a device without f64, compute a model's f64 in f32, with a warning in Program::warnings; so too where
  /// the device is not known. Without it, the host computes what is of f64 for such a device, slowly. Inputs
  /// and outputs stay f64 either way.
  bool allow_narrowing = false;
  /// Values that take the place of initializers that the model lists as inputs too (ONNX IR version 4 or
  /// later), by name; other names are left alone. What is not given has the initializer's value. They are
  /// given here and not to a Runner because kernels and layouts depend on constants.
  std::map<std::string, Buffer> initializers{};
  /// Inputs that become constants, by name, as the sampling rate that chooses a branch of an If, or the
  /// initial state of an LSTM. A value is converted to the input's type if that changes no element but to
  /// round a float to a finite one, and a value of one element fits each input of one. Throws ModelError on
  /// another value or shape, and on a name that no input has.
  std::map<std::string, Buffer> constants{};
  /// Inputs as they will be given, by name. Where a size or a value has to be known before the model runs, as
  /// the number of iterations of a Scan or the sampling rate that chooses a branch of an If, the model is
  /// loaded for theirs alone, and Model::warnings says so. An input that became a constant so is in
  /// Model::overridden; its value is of the input's type, or of one that converts_exactly() to it. Other
  /// names are left alone.
  std::map<std::string, Buffer> inputs{};
  /// Those of `inputs` that are numbers without a type, as a list of Python's: one that becomes a constant is
  /// converted as `constants` are.
  std::set<std::string> untyped_inputs{};
  /// Outputs by the inputs whose next values they are: {{"past_key", "present_key"}, ..}. A Runner keeps
  /// these. Shapes are equal but in one dimension at most, which is then a symbolic one of the input alone,
  /// the same for all: see Program::State. Throws ModelError on others.
  std::map<std::string, std::string> states{};
  /// Inputs and outputs that are bytes of pictures, by name. Throws ModelError on what is no picture.
  std::map<std::string, Picture> pictures{};
  /// Operators of one's own, of other domains than ONNX's.
  OperatorTable operators{};
  /// The device that the model is for: weights that it has no memory for are refused before one of them is
  /// read or made. Asked where they take more than a GiB.
  std::function<DeviceInfo()> device{};
  /// Called before a weight is read, in the model's file or beside it. What it throws ends the loading.
  std::function<void(const ModelFile& file)> before_weights{};
  /// As which that device is to store weights of f32.
  Precision precision = Precision::Float32;
  /// Asked once, when the first large constant has to be computed from others (a product of two weights):
  /// that is done there, by kernels. Without it, where it gives null, or where the device fails,
  /// constants are computed on the host, slowly.
  std::function<std::shared_ptr<Device>()> folding_device{};
  /// Called while the host computes a large constant.
  std::function<void(int done, int total)> folding_progress{};
};

/// What a Program is compiled for. Nothing has to be known: then schedules take general figures.
struct CompileTarget {
  std::optional<DeviceInfo> device;          ///< whose limits and features the kernels may use
  std::optional<HwProfile> profile;          ///< what schedules go by; else what follows from `device`
  Precision precision = Precision::Float32;  ///< how tensors of f32 are stored
  WeightPrecision weights = WeightPrecision::Model;  ///< how constants of products are stored
  /// Operators, by their names in ONNX, that the host computes whatever the device can, slowly: to see
  /// whether a result changes. Compiling throws Error on one that the model, as it was simplified, does not
  /// have, and names those that it has.
  std::set<std::string> on_host{};
  Optimizations optimizations{};  ///< what may be left out
  /// Bytes that weights of 3x3 convolutions may take beyond what the model gives them: transformed for 2x2
  /// outputs at a time they take 16/9 times the memory, for 4x4 outputs 4 times. Unset: wherever it pays.
  std::optional<std::int64_t> winograd_budget{};
  /// Work-items that a work-group of a kernel may have, where the driver says so only of kernels that it has
  /// built: Device::max_group_size. Kernels that have more are scheduled for fewer, with a warning. Null:
  /// every kernel may have what `device` allows.
  std::function<std::int64_t(const KernelSource&)> max_group_size{};
  /// Schedules that trials have found are taken: those that come with the library for such a device, and
  /// those of a database that autoschedule has written, of just this device, driver and version of tensordsl.
  bool tuned_schedules = true;
  std::string database{};  ///< empty: none. Throws Error if it is not there
  int threads = 0;         ///< that lower kernels at most; 0: one for each core
  /// Called as kernels are lowered, with how many different groups of operators are done.
  std::function<void(int done, int total)> progress;
};

/// An input or output of a model, row-major.
struct ModelTensor {
  std::string name;         ///< in the file
  Type type;                ///< as the model has it, whatever it is stored as
  std::vector<Expr> shape;  ///< empty for a scalar
};

/// A tensor that a node of the model's file gives, and what became of it.
struct NodeOutput : ModelTensor {
  /// What became of it.
  enum class Fate {
    Computed,  ///< when the model runs
    Constant,  ///< when it was loaded
    Merged,    ///< with a node that reads it: of a convolution that has taken in a BatchNormalization
    Unused,    ///< no output of the model needs it, or only the next step of a loop does
  };
  Fate fate = Fate::Computed;  ///< see Fate
  /// "Conv"
  std::string op, node;                           ///< its name, or that of an output if the file has none
  std::string text;                               ///< of a Computed one: its line in emit("graph")
  std::shared_ptr<const Buffer> value = nullptr;  ///< of a Constant
};

/// An ONNX model. A value: copies share what they hold, and may be compiled by several threads at once.
class Model {
 public:
  /// Reads a file of opset 6 to 28. Throws ModelError, one line that starts with the file's name.
  static Model load(const std::string& path, const ModelOptions& options = {});

  /// The names of ModelOptions::initializers and ModelOptions::inputs whose values are in the model.
  const std::vector<std::string>& overridden() const;

  /// The names of ModelOptions::inputs whose values the model is for alone, though they are inputs still: a
  /// size was computed from them. A run with others for which it is another one is refused.
  const std::vector<std::string>& is_for_values() const;

  /// ModelFile::weights.
  const std::vector<std::string>& external_files() const;

  /// True if the sizes of ModelOptions::inputs are the only ones that it is for.
  bool has_sizes_of_inputs() const;

  /// What loading noticed: a symbolic dimension that was taken to be another size, an output that is declared
  /// otherwise. Program::warnings has these too.
  const std::vector<std::string>& warnings() const;

  /// In the model's order; a Program of it has the same ones.
  std::vector<ModelTensor> inputs() const;
  /// The same of its outputs.
  std::vector<ModelTensor> outputs() const;
  /// The symbolic dimensions that have no size, i32, in alphabetical order. What cannot be in a Param's name
  /// is '_' in it, and a short name that a loop may have gets an end: "x[0]" is x_0_, "n" is n_size.
  std::vector<Program::Param> params() const;

  /// What the nodes give: first what is Constant, then what is Computed, in the order of execution, then the
  /// rest, whose types and shapes are not there. A node that became several gives tensors of other names too.
  std::vector<NodeOutput> node_outputs() const;
  /// The model with these outputs in place of its own: inputs, outputs, and what is Computed, by name. Throws
  /// Error on another name, and on one that is listed twice.
  Model with_outputs(const std::vector<std::string>& names) const;
  /// What is Computed, by name, as the definitions say, of inputs as the file has them: on the host, one node
  /// after the other, some ten million values in a second. `progress` tells of a thousand steps. Throws Error
  /// if params() is not empty or an input is missing, ShapeError if it is of another type or shape.
  std::map<std::string, Buffer> interpret(
      const std::map<std::string, Buffer>& inputs,
      const std::function<void(int done, int total)>& progress = {}) const;

  /// Needs no device. The Program does not depend on the number of threads. What no kernel can do, as on a
  /// device without f64, is a host step of it, with a warning that names the nodes. Throws what lowering
  /// throws.
  Program compile(const CompileTarget& target = {}) const;

  /// compile(), with schedules that a model of the device chose among all that apply, or trials of the best
  /// of them (AutoscheduleOptions). `report`, if it is asked for: what was chosen. Throws what compile()
  /// throws; a candidate that fails on the device is left out, and the report tells of it.
  Program autoschedule(const CompileTarget& target, const AutoscheduleOptions& options = {},
                       AutoscheduleReport* report = nullptr) const;

  /// Why kernels run as they do: the spaces of their schedules, what pruning leaves of them, the best points
  /// with the time that is predicted of each and what bounds it. `filter` as in emit().
  std::string explain(const CompileTarget& target, const std::string& filter) const;

  /// Compiles for the device and places the model on it; kernels whose work-groups the driver finds too large
  /// get smaller ones. The Runner keeps the Device if a shared_ptr holds it; another one must outlive the
  /// Runner. Throws Error if params() lack a value.
  Runner run(Device& device, Precision precision = Precision::Float32, const ParamValues& params = {}) const;

  /// What compile() does with the model, and why. Takes a little longer than it.
  Inspection inspect(const CompileTarget& target = {}) const;

  /// One stage of the compilation as text: "graph" (operators), "classes", "groups", "layouts", "funcs",
  /// "nest", "loops", "ir", "cl" or "program". `filter`: only kernels whose label, output or name contains
  /// it; "graph" and "program" are whole. Throws Error on another stage.
  std::string emit(const std::string& stage, const CompileTarget& target = {},
                   const std::string& filter = "") const;

 private:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> contents) : impl_(std::move(contents)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace tensordsl

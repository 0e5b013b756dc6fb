// A model's file as a Program: the work of `tensordsl run` and `tensordsl compile`, in C++.
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

/// Options of reading a model's file and of the changes made to the model.
struct ModelOptions {
  /// Fills weights whose external file is absent with the values that models/fill_weights.py makes.
  bool random_weights = false;
  /// Sizes of symbolic dimensions by name; the unnamed dimension d of input x is called "x[d]". Dimensions
  /// without a size here stay Params of the Program, which then runs at any size from 1 on.
  std::map<std::string, std::int64_t> dims{};
  /// Computes a model's f64 in f32, with a warning in Program::warnings, if the device has no f64 or is not
  /// known. Without it, the host computes f64 operators for such a device, slowly. Inputs and outputs stay
  /// f64 either way.
  bool allow_narrowing = false;
  /// Values that replace initializers that the model lists as inputs too (ONNX IR version 4 or later), by
  /// name; other names are ignored. An input without a value here has the initializer's. Values are given
  /// here and not to a Runner because kernels and layouts depend on constants.
  std::map<std::string, Buffer> initializers{};
  /// Inputs that become constants, by name, such as the sampling rate that chooses a branch of an If, or the
  /// initial state of an LSTM. A value is converted to the input's type if that changes no element except by
  /// rounding a float to a finite one; a value of one element fits each input of one. Throws ModelError on
  /// another value or shape, and on a name that no input has.
  std::map<std::string, Buffer> constants{};
  /// Values that inputs will have, by name. If a size or a value must be known before the model runs, such as
  /// the number of iterations of a Scan or the sampling rate that chooses a branch of an If, the model is
  /// specialized to these values, and Model::warnings says so. Model::overridden lists inputs that became
  /// constants in this way; their values are of the input's type, or of one that converts_exactly() to it.
  /// Other names are ignored.
  std::map<std::string, Buffer> inputs{};
  /// Names among `inputs` whose values are numbers without a type, such as a list of Python's: one that
  /// becomes a constant is converted as `constants` are.
  std::set<std::string> untyped_inputs{};
  /// Recurrent states: maps an input to the output that is its next value: {{"past_key", "present_key"}, ..}.
  /// A Runner keeps these. The two shapes differ in at most one dimension, along which the state grows:
  /// there the inputs have a symbolic extent of their own, the same for all states (Program::State). Throws
  /// ModelError on others.
  std::map<std::string, std::string> states{};
  /// Inputs and outputs that are bytes of pictures, by name. Throws ModelError if a tensor cannot be a
  /// picture.
  std::map<std::string, Picture> pictures{};
  /// User-defined operators, of other domains than ONNX's.
  OperatorTable operators{};
  /// Returns the device that the model is for; called if the weights take more than a GiB. A model whose
  /// weights do not fit the device's memory is refused before any weight is read or made.
  std::function<DeviceInfo()> device{};
  /// Called before a weight is read, from the model's file or from a file of weights. An exception of it ends
  /// the loading.
  std::function<void(const ModelFile& file)> before_weights{};
  /// Precision in which that device is to store weights of f32.
  Precision precision = Precision::Float32;
  /// Returns the device whose kernels compute large constants from others, such as a product of two weights;
  /// called once, for the first of them. Without it, if it returns null, or if the device fails, the host
  /// computes constants, slowly.
  std::function<std::shared_ptr<Device>()> folding_device{};
  /// Called while the host computes a large constant.
  std::function<void(int done, int total)> folding_progress{};
};

/// Target that a Program is compiled for. Every member may be unknown: schedules then use typical values.
struct CompileTarget {
  std::optional<DeviceInfo> device;          ///< device whose limits and features the kernels may use
  std::optional<HwProfile> profile;          ///< figures that schedules use; by default they follow from
                                             ///< `device`
  Precision precision = Precision::Float32;  ///< precision in which tensors of f32 are stored
  WeightPrecision weights = WeightPrecision::Model;  ///< precision in which constants of products are stored
  /// Operators, by their names in ONNX, that the host computes, slowly, even if the device can: to see
  /// whether a result changes. Compiling throws Error on an operator that the simplified model does not have,
  /// and names those that it has.
  std::set<std::string> on_host{};
  Optimizations optimizations{};  ///< optional optimizations
  /// Bytes that weights of 3x3 convolutions may take in addition to the model: transformed for 2x2 outputs at
  /// a time they take 16/9 times the memory, for 4x4 outputs 4 times. Unset: no limit, they are transformed
  /// wherever it pays.
  std::optional<std::int64_t> winograd_budget{};
  /// Passes of lowering that are left out, as by Pipeline::disable_pass, to measure their effect. Compiling
  /// throws ScheduleError on a name that is not an optional pass.
  std::set<std::string> disabled_passes{};
  /// Returns the largest work-group of a kernel, for drivers that report it only after they have built the
  /// kernel: Device::max_group_size. Kernels with larger work-groups are rescheduled for smaller ones, with a
  /// warning. Null: every kernel may have what `device` allows.
  std::function<std::int64_t(const KernelSource&)> max_group_size{};
  /// Uses schedules that trials have found: those bundled with the library for such a device, and those of a
  /// database that autoschedule has written for exactly this device, driver and version of tensordsl.
  bool tuned_schedules = true;
  std::string database{};  ///< file of tuned schedules; empty: none. Throws Error if it does not exist
  int threads = 0;         ///< most threads that lower kernels; 0: one for each core
  /// Called while kernels are lowered, with the number of distinct groups of operators that are done.
  std::function<void(int done, int total)> progress;
};

/// An input or output of a model, row-major.
struct ModelTensor {
  std::string name;         ///< name in the model's file
  Type type;                ///< type in the model, independent of the type in memory
  std::vector<Expr> shape;  ///< extents; empty for a scalar
};

/// A tensor that a node of the model's file computes, and the result of the compilation for it.
struct NodeOutput : ModelTensor {
  /// Result of the compilation for the tensor.
  enum class Fate {
    Computed,  ///< computed when the model runs
    Constant,  ///< computed when the model was loaded
    Merged,    ///< merged with a node that reads it, as a convolution with its BatchNormalization
    Unused,    ///< needed by no output of the model, or only by the next step of a loop
  };
  Fate fate = Fate::Computed;  ///< result of the compilation for it
  /// Operator type: "Conv".
  std::string op, node;                           ///< name of the node, or of an output of it if the file
                                                  ///< gives no name
  std::string text;                               ///< line in emit("graph"), if it is Computed
  std::shared_ptr<const Buffer> value = nullptr;  ///< value, if it is Constant
};

/// An ONNX model. Copies share their contents, and several threads may compile them at once.
class Model {
 public:
  /// Reads a file of opset 6 to 28. Throws ModelError whose text is one line that starts with the file's
  /// name.
  static Model load(const std::string& path, const ModelOptions& options = {});

  /// Returns the names of ModelOptions::initializers and ModelOptions::inputs that became constants of the
  /// model.
  const std::vector<std::string>& overridden() const;

  /// Returns the names of ModelOptions::inputs to whose values the model is specialized, though they are
  /// still inputs: a size was computed from them. A run with values that give another size is refused.
  const std::vector<std::string>& is_for_values() const;

  /// Returns ModelFile::weights: the external files that have weights.
  const std::vector<std::string>& external_files() const;

  /// True if the model runs only at the sizes of ModelOptions::inputs.
  bool has_sizes_of_inputs() const;

  /// Returns warnings of the loading: a symbolic dimension that was taken to be another size, an output that
  /// is declared otherwise. Program::warnings has these too.
  const std::vector<std::string>& warnings() const;

  /// Returns the inputs in the model's order; a Program of it has the same ones.
  std::vector<ModelTensor> inputs() const;
  /// Returns the outputs in the model's order; a Program of it has the same ones.
  std::vector<ModelTensor> outputs() const;
  /// Returns the symbolic dimensions that have no size, i32, in alphabetical order. Characters that a Param's
  /// name cannot have become '_', and a short name that a loop may have gets a suffix: "x[0]" is x_0_, "n" is
  /// n_size.
  std::vector<Program::Param> params() const;

  /// Returns the outputs of all nodes: first the Constant ones, then the Computed ones in the order of
  /// execution, then the rest, without types and shapes. A node that was expanded into several has tensors of
  /// other names too.
  std::vector<NodeOutput> node_outputs() const;
  /// Returns the model with other outputs, named among its inputs, outputs and Computed tensors. Throws Error
  /// on another name, and on one that is listed twice.
  Model with_outputs(const std::vector<std::string>& names) const;
  /// Computes the Computed tensors by their definitions, on the host, one node after the other: about ten
  /// million values per second. `inputs` are as the file declares them; outputs are returned by name.
  /// `progress` is called with the thousandths of the work that are done. Throws Error if params() is not
  /// empty or an input is missing, ShapeError if it has another type or shape.
  std::map<std::string, Buffer> interpret(
      const std::map<std::string, Buffer>& inputs,
      const std::function<void(int done, int total)>& progress = {}) const;

  /// Compiles the model; no device is needed. The Program does not depend on the number of threads. Operators
  /// that no kernel can compute, such as f64 on a device without it, become host steps, with a warning that
  /// names the nodes. Throws the errors of lowering.
  Program compile(const CompileTarget& target = {}) const;

  /// Compiles with schedules that a model of the device chose among all that apply, or that trials of the
  /// best of them chose (AutoscheduleOptions). `report`, if not null, receives the choices. Throws the errors
  /// of compile(); a candidate that fails on the device is left out and listed in the report.
  Program autoschedule(const CompileTarget& target, const AutoscheduleOptions& options = {},
                       AutoscheduleReport* report = nullptr) const;

  /// Explains the performance of kernels: the spaces of their schedules, the configurations left after
  /// pruning, and the best of these with the predicted time of each and its bottleneck. `filter` as in
  /// emit().
  std::string explain(const CompileTarget& target, const std::string& filter) const;

  /// Compiles for the device and prepares the model on it; kernels whose work-groups are too large for the
  /// driver get smaller ones. The Runner keeps the Device alive if a shared_ptr holds it; another one must
  /// outlive the Runner. Throws Error if params() lack a value.
  Runner run(Device& device, Precision precision = Precision::Float32, const ParamValues& params = {}) const;

  /// Returns what each pass of compile() does with the model, and why. It takes a little longer than
  /// compile().
  Inspection inspect(const CompileTarget& target = {}) const;

  /// Returns one stage of the compilation as text: "graph" (operators), "classes", "groups", "layouts",
  /// "funcs", "nest", "loops", "ir", "cl" or "program". `filter` selects the kernels of the node or tensor of
  /// this name, else those with it in the name of the kernel, an operator, a node or a tensor; "graph" and
  /// "program" are not filtered. Throws Error on another stage, and on a filter that selects nothing: the
  /// text lists the kernels and nodes.
  std::string emit(const std::string& stage, const CompileTarget& target = {},
                   const std::string& filter = "") const;

 private:
  struct Impl;
  explicit Model(std::shared_ptr<const Impl> contents) : impl_(std::move(contents)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace tensordsl

// Loads, compiles and places a model on a device, for all commands that take one.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/tensordsl/model/data_files.h"
#include "apps/tensordsl/model/model_options.h"
#include "apps/tensordsl/model/timeline.h"
#include "tensordsl/model.h"
#include "tensordsl/package.h"

namespace tensordsl::cli {

/// True if the file or folder is already compiled: a package, or a Program of a generator.
bool is_package(const std::string& place);
/// Throws Error if the place is a folder or a package, where a command needs an ONNX model.
void check_is_no_package(const std::string& place);

/// Called while a model is loaded, where they are not null.
struct LoadingCalls {
  std::function<DeviceInfo()> device;                    ///< see ModelOptions
  std::function<void(const ModelFile&)> before_weights;  ///< see ModelOptions
  std::function<void()> folding;  ///< called before constants are computed on folding_device()
};

/// Returns the device that computes large constants: the host's processor if LLVM is available, which
/// compiles kernels that run once faster than drivers do; else the device of the arguments. Nullopt if there
/// is none.
std::optional<DeviceInfo> folding_device(const ModelArguments& arguments);

/// Large constants are computed on the device of the arguments, or on the host with progress on stderr.
Model load_model_file(const ModelArguments& arguments, const LoadingCalls& calls = {});

/// Returns the inputs and outputs of the model where its Params have these values.
Signature signature_of(const Model& model, const ParamValues& params);

/// Returns the target for the device, with the profile that is asked for.
CompileTarget compile_target(const ModelArguments& arguments, const std::optional<DeviceInfo>& device);

/// Returns the target of commands that only compile, for which --device may be none: then schedules use the
/// profile's figures, or general ones.
CompileTarget aimed_target(const ModelArguments& arguments);
/// Describes the target for which kernels are compiled.
std::string aim_of(const ModelArguments& arguments, const CompileTarget& target);

/// A model ready to run, and how it got there.
struct LoadedModel {
  std::shared_ptr<Device> device;
  std::shared_ptr<const Program> program;
  std::unique_ptr<Runner> runner;
  Signature signature;
  ParamValues params;
  bool is_kept = false;           ///< the Program is one that an earlier call has lowered
  std::string precision;          ///< empty for a Program, which does not record it
  std::vector<HostPhase> phases;  ///< phases in the order of time

  double compile_ms() const { return milliseconds_of("lowering"); }
  /// "lowered in 41 ms", or "lowered by an earlier run"
  std::string lowering_text() const;
  double build_ms() const;  ///< the time of all steps to place it on the device

 private:
  double milliseconds_of(const std::string& phase) const;
};

/// Loads a model's file, a package, or the .json of a generator, with progress on stderr. `check` is called
/// with the inputs and outputs of the model before anything is lowered or built.
LoadedModel load_model(const ModelArguments& arguments, const std::function<void(const Signature&)>& check);

/// Writes the inputs before each run: a state gets its initial value, so that every run is the same.
void write_inputs(const LoadedModel& model, const Arrays& inputs);

/// A line on stderr for each, once: a Program also has the warnings of its model.
class Warnings {
 public:
  void print(const std::vector<std::string>& warnings);

 private:
  std::set<std::string> printed_;
};

}  // namespace tensordsl::cli

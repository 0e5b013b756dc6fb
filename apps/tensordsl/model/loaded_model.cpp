#include "apps/tensordsl/model/loaded_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>

#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/model/assignments.h"
#include "apps/tensordsl/model/kept_programs.h"
#include "apps/tensordsl/model/params_from_arrays.h"
#include "package/package_index.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

using std::chrono::duration;
using std::chrono::steady_clock;

namespace {

Precision precision_of(const ModelArguments& arguments) {
  return arguments.precision == "fp16" ? Precision::Float16 : Precision::Float32;
}

std::map<std::string, Buffer> given_constants(const ModelArguments& arguments) {
  std::map<std::string, Buffer> constants = parse_constants(arguments.constants);
  for (const auto& [name, value] : constants) {
    if (arguments.arrays.contains(name))
      throw Error(
          fmt::format("--inputs: \"{}\" in the file also has a value by --constant; drop one of them", name));
  }
  return constants;
}

}  // namespace

bool is_package(const std::string& place) {
  const std::filesystem::path path = place;
  return std::filesystem::is_directory(path) || path.extension() == ".json" ||
         path.extension() == kPackageEnding;
}

void check_is_no_package(const std::string& place) {
  const std::filesystem::path path = place;
  const bool is_folder = std::filesystem::is_directory(path);
  if (is_folder && !std::filesystem::exists(path / kProgramName))
    throw Error(fmt::format("{} is a folder; give an ONNX model, which is a file", place));
  if (std::filesystem::exists(path) && is_package(place)) {
    throw Error(fmt::format("{} is a package, already compiled; give the ONNX model it was made of", place));
  }
}

namespace {

/// Returns the values of a Program, or the tensors of a model, with known sizes.
template <typename Value>
std::vector<Signature::Value> sized(const std::vector<Value>& values, const ParamValues& params) {
  std::vector<Signature::Value> result;
  for (const Value& value : values) {
    result.push_back({value.name, value.type, {}});
    const std::vector<SizeExpr> sizes = sizes_of(value);
    // All Params have values here; a symbol without a value is a data-dependent size.
    result.back().depends_on_data = std::ranges::any_of(
        sizes, [&](const SizeExpr& extent) { return !runtime::has_values(extent, params); });
    if (result.back().depends_on_data) continue;
    for (const SizeExpr& extent : sizes) result.back().shape.push_back(runtime::evaluate(extent, params));
  }
  return result;
}

/// Notes when each step of loading was.
class Loading {
 public:
  Loading(const ModelArguments& arguments, const std::function<void(const Signature&)>& check)
      : arguments_(arguments), check_(check) {}

  LoadedModel run() {
    loaded_.params = parse_params(arguments_.params);
    parse_dims(arguments_.dims);  // for their errors
    given_constants(arguments_);
    parse_states(arguments_.states);
    parse_pictures(arguments_.pictures);
    opening_ = std::async(std::launch::async, [this] { return Device::open(arguments_.device); }).share();
    is_package(arguments_.model) ? read() : compile();
    place();
    if (keep_) keep_();
    return std::move(loaded_);
  }

 private:
  void step(const std::string& name, steady_clock::time_point end = steady_clock::now()) {
    loaded_.phases.push_back({name, last_, end});
    last_ = end;
  }

  /// The driver's libraries are read while the model is: this waits for the rest.
  void wait_for_device() {
    loaded_.device = opening_.get();
    step("open the device");
  }

  void read() {
    check_no_compile_options(arguments_);
    const Package package = read_package(arguments_.model);
    const std::shared_ptr<const Program>& program = package.program;
    infer_params_of(program->inputs, arguments_.arrays, loaded_.params);
    check_params(arguments_.model, program->params, loaded_.params);
    check({sized(program->inputs, loaded_.params), sized(program->outputs, loaded_.params), {}});
    loaded_.program = program;
    step("import");
    wait_for_device();
    loaded_.device->offer(package.binaries);
  }

  void compile() {
    CompileTarget target = compile_target(arguments_, {});
    loaded_.precision = target.precision == Precision::Float16 ? "fp16" : "fp32";
    const std::shared_ptr<KeptPrograms> programs = kept_programs(target);
    const auto kept = programs ? programs->find() : std::nullopt;
    if (kept) {
      take(*kept, programs, std::move(target));
    } else {
      compile(programs, std::move(target));
    }
  }

  /// Returns null if the device does not open: an error of the model is reported before that.
  std::shared_ptr<KeptPrograms> kept_programs(CompileTarget target) {
    try {
      target.device = opening_.get()->info();
    } catch (const Error&) {
      return nullptr;
    }
    return std::make_shared<KeptPrograms>(arguments_, target);
  }

  /// Uses a Program that an earlier call has lowered. If its work-groups are too large, the model is compiled
  /// after all.
  void take(const KeptProgram& kept, const std::shared_ptr<KeptPrograms>& programs, CompileTarget target) {
    const Program& program = *kept.program;
    wait_for_device();
    warnings_.print(kept.warnings);
    infer_params_of(program.inputs, arguments_.arrays, loaded_.params);
    check_params(arguments_.model, program.params, loaded_.params);
    check({sized(program.inputs, loaded_.params), sized(program.outputs, loaded_.params), kept.overridden});
    warnings_.print(program.warnings);
    loaded_.program = kept.program;
    loaded_.is_kept = true;
    step("read from the cache");
    lower_again_ = [this, programs, target = std::move(target)] {
      loaded_.is_kept = false;
      compile(programs, target);
      lower_again_();
    };
  }

  void compile(const std::shared_ptr<KeptPrograms>& programs, CompileTarget target) {
    LoadingCalls calls;
    calls.device = [this] { return opening_.get()->info(); };
    if (programs) {
      calls.before_weights = [&](const ModelFile& file) { programs->note_weights(file.weights); };
      calls.folding = [&] { programs->note_folding(); };
    }
    const Model model = load_model_file(arguments_, calls);
    warnings_.print(model.warnings());  // they may explain why an input does not fit
    infer_params_of(model.inputs(), arguments_.arrays, loaded_.params);
    check_params(arguments_.model, model.params(), loaded_.params);
    check(signature_of(model, loaded_.params));
    step("import");
    wait_for_device();
    target.device = loaded_.device->info();
    lower(model, target);
    if (programs) {
      keep_ = [this, programs, model] {
        if (const auto warning = programs->keep(model, loaded_.program)) warnings_.print({*warning});
      };
    }
    lower_again_ = [this, model, target]() mutable {
      target.max_group_size = [this](const KernelSource& kernel) {
        return loaded_.device->max_group_size(kernel);
      };
      lower(model, target);
    };
  }

  void lower(const Model& model, CompileTarget target) {
    Progress progress("lowering");
    target.progress = [&](int done, int total) { progress.update(done, total); };
    loaded_.program = std::make_shared<const Program>(model.compile(target));
    step("lowering");
    warnings_.print(loaded_.program->warnings);
  }

  void check(Signature signature) {
    check_(signature);
    loaded_.signature = std::move(signature);
  }

  void place() {
    try {
      build();
    } catch (const WorkGroupError&) {
      if (!lower_again_) throw;
      step("build kernels");
      const auto lower_again = lower_again_;  // which may replace it
      lower_again();
      build();
    }
  }

  void build() {
    Progress progress("building kernels");
    loaded_.runner = std::make_unique<Runner>(loaded_.program, *loaded_.device, loaded_.params,
                                              [&](int done, int total) { progress.update(done, total); });
    const RunnerSteps& steps = loaded_.runner->steps();
    step("upload constants", steps.uploaded);
    step("build kernels", steps.built);
    step("record launches", steps.recorded);
  }

  const ModelArguments& arguments_;
  const std::function<void(const Signature&)>& check_;
  LoadedModel loaded_;
  std::function<void()> keep_;         // keeps the Program that was compiled here
  std::function<void()> lower_again_;  // of a model: for kernels whose work-groups are not too large
  Warnings warnings_;
  std::shared_future<std::shared_ptr<Device>> opening_;  // its end waits for it
  steady_clock::time_point last_ = steady_clock::now();
};

}  // namespace

void write_inputs(const LoadedModel& model, const Arrays& inputs) {
  if (!model.program->states.empty()) model.runner->set_params(model.params);
  model.runner->write_all(inputs);
}

std::optional<DeviceInfo> folding_device(const ModelArguments& arguments) {
  const std::vector<DeviceInfo> devices = Device::list();
  const auto host = std::ranges::find(devices, kLlvmBackend, &DeviceInfo::backend);
  if (host != devices.end()) return *host;
  return devices.empty() ? std::nullopt : std::optional(Device::open(arguments.device)->info());
}

Model load_model_file(const ModelArguments& arguments, const LoadingCalls& calls) {
  check_is_no_package(arguments.model);
  Progress progress("computing constants");
  ModelOptions options;
  options.random_weights = arguments.random_weights;
  options.dims = parse_dims(arguments.dims);
  options.constants = given_constants(arguments);
  options.states = parse_states(arguments.states);
  options.pictures = parse_pictures(arguments.pictures);
  options.allow_narrowing = arguments.allow_narrowing;
  options.initializers = arguments.arrays;
  options.inputs = arguments.arrays;
  options.device = calls.device;
  options.before_weights = calls.before_weights;
  options.precision = precision_of(arguments);
  options.folding_device = [&]() -> std::shared_ptr<Device> {
    if (calls.folding) calls.folding();
    const auto info = folding_device(arguments);
    return info ? Device::open(fmt::format("{}:{}", info->platform_number, info->device_number)) : nullptr;
  };
  options.folding_progress = [&](int done, int total) { progress.update(done, total); };
  return Model::load(arguments.model, options);
}

Signature signature_of(const Model& model, const ParamValues& params) {
  return {sized(model.inputs(), params), sized(model.outputs(), params), model.overridden()};
}

CompileTarget compile_target(const ModelArguments& arguments, const std::optional<DeviceInfo>& device) {
  CompileTarget target;
  target.precision = precision_of(arguments);
  target.device = device;
  if (arguments.weights == "int8") target.weights = WeightPrecision::Int8;
  if (arguments.weights == "int4") target.weights = WeightPrecision::Int4;
  target.optimizations = arguments.optimizations;
  if (arguments.winograd_mib && !arguments.optimizations.winograd)
    throw Error("--winograd-memory: has no effect with --no-winograd; drop one of them");
  if (arguments.winograd_mib) target.winograd_budget = *arguments.winograd_mib << 20;
  target.tuned_schedules = arguments.tuned_schedules;
  target.database = arguments.database;
  try {
    if (!arguments.profile.empty()) target.profile = load_hw_profile(arguments.profile);
  } catch (const ParseError& error) {
    throw Error(fmt::format("--profile {}: {}", arguments.profile, error.what()));
  } catch (const Error& error) {
    throw Error(fmt::format("--profile: {}", error.what()));
  }
  return target;
}

CompileTarget aimed_target(const ModelArguments& model) {
  const bool is_wanted = !model.device.empty() || (model.profile.empty() && !Device::list().empty());
  const bool has_device = is_wanted && model.device != "none";
  return compile_target(model, has_device ? std::optional(Device::open(model.device)->info()) : std::nullopt);
}

std::string aim_of(const ModelArguments& model, const CompileTarget& target) {
  const std::string profile = model.profile.empty() ? "" : fmt::format(", by the profile {}", model.profile);
  if (target.device) return target.device->name + profile;
  const bool has_halves = target.precision == Precision::Float16 && target.optimizations.half_sums &&
                          target.profile && target.profile->computes_halves_faster();
  return (has_halves ? "any device with cl_khr_fp16" : "any device") + profile;
}

std::string LoadedModel::lowering_text() const {
  return is_kept ? "lowered program read from the cache" : fmt::format("lowered in {:.0f} ms", compile_ms());
}

double LoadedModel::build_ms() const {
  return milliseconds_of("upload constants") + milliseconds_of("build kernels") +
         milliseconds_of("record launches");
}

double LoadedModel::milliseconds_of(const std::string& phase) const {
  double sum = 0;
  for (const HostPhase& p : phases)
    if (p.name == phase) sum += duration<double, std::milli>(p.end - p.begin).count();
  return sum;
}

LoadedModel load_model(const ModelArguments& arguments, const std::function<void(const Signature&)>& check) {
  return Loading(arguments, check).run();
}

void Warnings::print(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    if (printed_.insert(warning).second) fmt::print(stderr, "warning: {}\n", warning);
  }
}

}  // namespace tensordsl::cli

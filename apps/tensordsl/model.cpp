#include "apps/tensordsl/model.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <future>

#include "apps/tensordsl/assignments.h"
#include "apps/tensordsl/files.h"
#include "apps/tensordsl/infer_params.h"
#include "apps/tensordsl/kept_programs.h"
#include "apps/tensordsl/progress.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

using std::chrono::duration;
using std::chrono::steady_clock;

namespace {

Precision precision_of(const ModelArguments& arguments) {
  return arguments.precision == "fp16" ? Precision::Float16 : Precision::Float32;
}

}  // namespace

void check_no_compile_options(const ModelArguments& arguments) {
  for (const auto& [option, is_given] : {std::pair{"--random-weights", arguments.random_weights},
                                         {"--precision", !arguments.precision.empty()},
                                         {"--weights", !arguments.weights.empty()},
                                         {"--profile", !arguments.profile.empty()},
                                         {"--dim", !arguments.dims.empty()},
                                         {"--constant", !arguments.constants.empty()},
                                         {"--state", !arguments.states.empty()},
                                         {"--picture", !arguments.pictures.empty()},
                                         {"--allow-narrowing", arguments.allow_narrowing},
                                         {"--no-lte", !arguments.optimizations.movement_elimination},
                                         {"--no-fusion", !arguments.optimizations.fusion},
                                         {"--no-layout-selection", !arguments.optimizations.layout_selection},
                                         {"--no-memory-plan", !arguments.optimizations.memory_plan},
                                         {"--no-winograd", !arguments.optimizations.winograd},
                                         {"--no-half-sums", !arguments.optimizations.half_sums},
                                         {"--winograd-memory", arguments.winograd_mib.has_value()},
                                         {"--no-tuned", !arguments.tuned_schedules},
                                         {"--db", !arguments.database.empty()}}) {
    if (!is_given) continue;
    throw Error(
        fmt::format("{}: {} is a package, which is compiled already; leave it out", option, arguments.model));
  }
}

bool is_package(const std::string& place) {
  const std::filesystem::path path = place;
  return std::filesystem::is_directory(path) || path.extension() == ".json" ||
         path.extension() == kPackageEnding;
}

namespace {

/// Of a Program's values or a model's tensors.
template <typename Value>
std::vector<Signature::Value> sized(const std::vector<Value>& values, const ParamValues& params) {
  std::vector<Signature::Value> result;
  for (const Value& value : values) {
    result.push_back({value.name, value.type, {}});
    // All Params have values here: what has none is a count.
    result.back().depends_on_data =
        std::ranges::any_of(value.shape, [&](const Expr& extent) { return !has_values(extent, params); });
    if (result.back().depends_on_data) continue;
    for (const Expr& extent : value.shape) result.back().shape.push_back(evaluate(extent, params));
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
    parse_constants(arguments_.constants);
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

  /// The driver's libraries are read while the model is: this takes what is left of it.
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

  /// Returns null if the device does not open: what is wrong with the model is said before that.
  std::shared_ptr<KeptPrograms> kept_programs(CompileTarget target) {
    try {
      target.device = opening_.get()->info();
    } catch (const Error&) {
      return nullptr;
    }
    return std::make_shared<KeptPrograms>(arguments_, target);
  }

  /// Takes a Program that an earlier call has lowered. Where its work-groups turn out to be too large, the
  /// model is compiled after all.
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
    step("read what was lowered");
    lower_again_ = [this, programs, target = std::move(target)] {
      loaded_.is_kept = false;
      compile(programs, target);
      lower_again_();
    };
  }

  void compile(const std::shared_ptr<KeptPrograms>& programs, CompileTarget target) {
    LoadingCalls calls{[this] { return opening_.get()->info(); }, {}};
    if (programs) {
      calls.before_weights = [&](const std::vector<std::string>& files) { programs->note_weights(files); };
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
    if (programs) keep_ = [this, programs, model] { programs->keep(model, loaded_.program); };
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
  std::function<void()> keep_;         // of what was lowered here
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

void add_model_options(CLI::App& app, ModelArguments& options) {
  app.add_option("MODEL", options.model, "the ONNX model")->required()->check(NotEmpty("a file's name"));
  app.add_flag("--random-weights", options.random_weights,
               "fill weights whose external file is absent as models/fill_weights.py does");
  app.add_option("--precision", options.precision,
                 "how tensors are stored, fp32 if not said; computed in fp32, but for --no-half-sums")
      ->check(CLI::IsMember({"fp32", "fp16"}));
  app.add_option(
         "--weights", options.weights,
         "how the weights of products are stored, as --precision says if not said: int8, with a scale "
         "for each output, or int4, with a scale for 32")
      ->check(CLI::IsMember({"int8", "int4"}));
  app.add_option("--device", options.device, "gpu, cpu, PLATFORM:DEVICE or a part of a device's name")
      ->check(NotEmpty("a device"));
  app.add_option(
      "--profile", options.profile,
      "what schedules go by: a profile that 'tensordsl profile' wrote, or the name of a bundled one");
  app.add_option("--dim", options.dims, "size of a symbolic dimension: NAME=NUMBER");
  app.add_option(
      "--constant", options.constants,
      "an input that becomes a constant, of its type and one element or one dimension: NAME=VALUE");
  app.add_option("--state", options.states,
                 "an input that is next what an output is, which a Runner keeps: INPUT=OUTPUT");
  app.add_option(
      "--picture", options.pictures,
      "an input or output that is bytes of red, green, blue and alpha, (byte/255 - MEAN)/DEVIATION "
      "of each channel: NAME or NAME=MEAN:DEVIATION");
  app.add_flag("--allow-narrowing", options.allow_narrowing,
               "compute a model's f64 in f32 where the device has no f64, or is not known");
  const auto add_switch = [&](const char* name, bool Optimizations::*what, const char* text) {
    app.add_flag_callback(
        name, [&options, what] { options.optimizations.*what = false; }, text);
  };
  add_switch("--no-lte", &Optimizations::movement_elimination,
             "leave transposes, slices and reshapes as kernels");
  add_switch("--no-fusion", &Optimizations::fusion, "make every operator a kernel");
  add_switch("--no-layout-selection", &Optimizations::layout_selection, "store every tensor row-major");
  add_switch("--no-memory-plan", &Optimizations::memory_plan, "give every tensor memory of its own");
  add_switch("--no-winograd", &Optimizations::winograd, "compute 3x3 convolutions as they are defined");
  add_switch("--no-half-sums", &Optimizations::half_sums,
             "with fp16 sum in fp32 throughout, where a profile says that fp16 is faster, too");
  app.add_option("--winograd-memory", options.winograd_mib,
                 "MiB that weights of 3x3 convolutions may take beyond those of the model, for fewer "
                 "multiplications; as many as pay, if not said")
      ->check(CLI::Range(0, 1 << 20));
  app.add_flag_callback(
      "--no-tuned", [&options] { options.tuned_schedules = false; },
      "leave out the schedules that come with tensordsl, which trials have found on such devices");
  app.add_option(
      "--db", options.database,
      "take the fastest schedules of a database that autoschedule has written, as far as it has some "
      "of this device, driver and version of tensordsl");
  app.add_flag("--json", options.json, "print the result as JSON");
}

void describe_aim(CLI::App& app) {
  app.get_option("--device")
      ->description(
          "what the kernels are for: gpu, cpu, PLATFORM:DEVICE, a part of a device's name, or none: kernels "
          "for any device");
}

void add_param_option(CLI::App& app, ModelArguments& options) {
  app.get_option("MODEL")->description(
      "the ONNX model, a package (NAME.tdsl or a folder), or a generator's NAME.json");
  app.add_option("--param", options.params, "value of a Param of a Program: NAME=NUMBER");
  const std::map<std::string, Waiting> ways{
      {"driver", Waiting::Driver}, {"sleep", Waiting::Sleeping}, {"spin", Waiting::Spinning}};
  app.add_option("--wait", options.waiting,
                 "how to wait for the device: \"driver\", as that does of its own accord, \"sleep\", for the "
                 "least power, or \"spin\", to know soonest")
      ->transform(CLI::CheckedTransformer(ways))
      ->type_name("driver|sleep|spin");
}

Model load_model_file(const ModelArguments& arguments, const LoadingCalls& calls) {
  Progress progress("computing constants");
  ModelOptions options;
  options.random_weights = arguments.random_weights;
  options.dims = parse_dims(arguments.dims);
  options.constants = parse_constants(arguments.constants);
  options.states = parse_states(arguments.states);
  options.pictures = parse_pictures(arguments.pictures);
  options.allow_narrowing = arguments.allow_narrowing;
  options.initializers = arguments.arrays;
  options.inputs = arguments.arrays;
  options.device = calls.device;
  options.before_weights = calls.before_weights;
  options.precision = precision_of(arguments);
  options.folding_device = [&]() -> std::shared_ptr<Device> {
    const std::vector<DeviceInfo> devices = Device::list();
    if (devices.empty()) return nullptr;
    // LLVM compiles faster than drivers do, for kernels that run once.
    const bool has_host = std::ranges::count(devices, kLlvmBackend, &DeviceInfo::backend) > 0;
    return Device::open(has_host ? "host" : arguments.device);
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
    throw Error("--winograd-memory: with --no-winograd no convolution is computed so; leave one of them out");
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
  return is_kept ? "lowered by an earlier run" : fmt::format("lowered in {:.0f} ms", compile_ms());
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

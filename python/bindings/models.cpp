#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/chrono.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/arguments.h"
#include "python/bindings/arrays.h"
#include "python/bindings/python_lock.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/conversion.h"
#include "tensordsl/error.h"
#include "tensordsl/model.h"

namespace tensordsl::python {
namespace {

/// Keeps the types: loading determines the types that they must have.
std::map<std::string, Buffer> model_buffers(nb::handle arrays, const char* what) {
  std::map<std::string, Buffer> result;
  for (const auto& [name, value] : entries_of(arrays, what))
    result.emplace(name, buffer_of(array_of(value, std::nullopt)));
  return result;
}

/// Converts to the types of the inputs that they are given for, where that is exact.
std::map<std::string, Buffer> inputs_of(const Model& model, nb::handle arrays) {
  const std::vector<ModelTensor> inputs = model.inputs();
  std::map<std::string, Buffer> result;
  for (const auto& [name, value] : entries_of(arrays, "inputs")) {
    const auto input = std::ranges::find(inputs, name, &ModelTensor::name);
    const HostArray array =
        input == inputs.end() ? array_of(value, std::nullopt) : input_array_of(value, input->type);
    if (input != inputs.end() && array.type != input->type)
      throw ShapeError(fmt::format("the input \"{}\" is {}, but the array is {}{}", name,
                                   to_string(input->type), to_string(array.type),
                                   conversion_remedy(input->type)));
    result.emplace(name, buffer_of(array));
  }
  return result;
}

std::string tensors_text(const std::vector<ModelTensor>& tensors) {
  std::string text;
  for (const ModelTensor& t : tensors) {
    text += fmt::format("{}{}: {} {}", text.empty() ? "" : "; ", t.name, to_string(t.type),
                        nb::cast<std::string>(nb::repr(extents_of(t.shape))));
  }
  return text;
}

/// Constants are computed by the host's processor where LLVM is installed: it compiles faster than drivers
/// do.
std::shared_ptr<Device> folding_device() {
  const std::vector<DeviceInfo> devices = Device::list();
  if (devices.empty()) return nullptr;
  return Device::open(std::ranges::count(devices, kLlvmBackend, &DeviceInfo::backend) > 0 ? "host" : "");
}

Model load(const nb::object& path, bool random_weights, const std::map<std::string, std::int64_t>& dims,
           const std::map<std::string, std::string>& states, nb::handle initializers, nb::handle constants,
           nb::handle inputs, bool allow_narrowing) {
  ModelOptions options;
  options.random_weights = random_weights;
  options.dims = dims;
  options.states = states;
  options.initializers = model_buffers(initializers, "initializers");
  options.constants = model_buffers(constants, "constants");
  options.inputs = model_buffers(inputs, "inputs");
  for (const auto& [name, value] : entries_of(inputs, "inputs"))
    if (!nb::hasattr(value, "dtype")) options.untyped_inputs.insert(name);
  options.allow_narrowing = allow_narrowing;
  options.folding_device = folding_device;
  for (const auto& [name, value] : options.inputs) {
    if (options.constants.contains(name))
      throw ModelError(fmt::format("inputs: \"{}\" is also among the constants; drop one of them", name));
  }
  options.before_weights = [&](const ModelFile& file) {
    for (const auto& [name, value] : options.inputs) {
      if (std::ranges::count(file.inputs, name) == 0)
        throw ModelError(
            fmt::format("the model has no input '{}', but an array is given for it; its inputs are {}", name,
                        fmt::join(file.inputs, ", ")));
    }
  };
  const std::string file = path_of(path);
  const Unlocked unlocked;
  Model model = Model::load(file, options);
  for (const auto& [name, value] : options.initializers) {
    if (std::ranges::count(model.overridden(), name) == 0)
      throw ModelError(fmt::format(
          "initializers: \"{}\" is not an initializer that the model also lists as an input", name));
  }
  return model;
}

Program autoschedule(const Model& model, const DeviceLike& device, const CompileTarget& target,
                     std::int64_t trials, std::optional<double> seconds, const std::string& database) {
  if (trials < 0) throw Error(fmt::format("autoschedule: trials is {}; it must not be negative", trials));
  if (seconds && !(*seconds >= 0 && *seconds < 1e9))
    throw Error(fmt::format("autoschedule: seconds is {}; it must be from 0 to 1e9", *seconds));
  const std::shared_ptr<Device> on = device_or_default(device);
  AutoscheduleOptions options;
  options.trials = trials;
  options.database = database;
  if (trials > 0 || seconds) options.device = on.get();
  if (seconds) options.time = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
  options.should_stop = was_interrupted;
  CompileTarget aimed = target;
  if (!aimed.device) aimed.device = on->info();
  std::optional<Program> program;
  {
    const Unlocked unlocked;
    program = model.autoschedule(aimed, options);
  }
  throw_if_interrupted();
  return *std::move(program);
}

void bind_options(nb::module_& module) {
  nb::enum_<Precision>(module, "Precision", "Precision in which a model's f32 tensors are stored.")
      .value("Float32", Precision::Float32, "Stored as f32.")
      .value("Float16", Precision::Float16, "Stored as f16; arithmetic is in f32.");
  nb::enum_<WeightPrecision>(module, "WeightPrecision",
                             "Precision in which the constants of products are stored.")
      .value("Model", WeightPrecision::Model, "Stored in the Precision of other tensors.")
      .value("Int8", WeightPrecision::Int8, "Stored as integers of 8 bits, with a scale for each output.")
      .value("Int4", WeightPrecision::Int4, "Stored as integers of 4 bits, with a scale for each 32.");

  nb::class_<Optimizations>(module, "Optimizations", "Optional optimizations of a graph.")
      .def(nb::init<>(), "Turns all of them on.")
      .def_rw("movement_elimination", &Optimizations::movement_elimination,
              "View folding: transposes and the like become part of indices.")
      .def_rw("fusion", &Optimizations::fusion, "Fuses several operators into one kernel.")
      .def_rw("layout_selection", &Optimizations::layout_selection,
              "Stores tensors in the order in which their readers traverse them.")
      .def_rw("memory_plan", &Optimizations::memory_plan,
              "Lets tensors that are not needed at the same time share memory.")
      .def_rw("winograd", &Optimizations::winograd, "Computes 3x3 convolutions by Winograd where it pays.")
      .def_rw("half_sums", &Optimizations::half_sums,
              "Computes short sums in f16 with Float16, where that is faster.");

  nb::class_<CompileTarget>(module, "CompileTarget", "Target that a Program is compiled for.")
      .def(
          "__init__",
          [](CompileTarget* self, const DeviceLike& given, const std::optional<HwProfile>& profile,
             Precision precision, WeightPrecision weights, const Optimizations& optimizations,
             bool tuned_schedules, const std::string& database, bool ask_driver) {
            const std::shared_ptr<Device> device = device_of(given);
            auto* target = new (self) CompileTarget;
            if (device) target->device = device->info();
            target->profile = profile;
            target->precision = precision;
            target->weights = weights;
            target->optimizations = optimizations;
            target->tuned_schedules = tuned_schedules;
            target->database = database;
            if (device && ask_driver)
              target->max_group_size = [device](const KernelSource& kernel) {
                return device->max_group_size(kernel);
              };
          },
          nb::arg("device") = nb::none(), nb::arg("profile") = nb::none(),
          nb::arg("precision") = Precision::Float32, nb::arg("weights") = WeightPrecision::Model,
          nb::arg("optimizations") = Optimizations(), nb::arg("tuned_schedules") = true,
          nb::arg("database") = "", nb::arg("ask_driver") = false,
          "`device`: the kernels keep its limits. `profile`: figures that schedules use; by default they "
          "follow from "
          "the device. `tuned_schedules`: bundled tuned schedules are used. `database`: a file "
          "with more of them. `ask_driver`: the driver is asked for the largest work-group of each kernel.");
}

void bind_tensors(nb::module_& module) {
  nb::class_<ModelTensor>(module, "ModelTensor", "An input or output of a model, row-major.")
      .def_ro("name", &ModelTensor::name, "Name in the model's file.")
      .def_ro("type", &ModelTensor::type, "Type in the model.")
      .def_prop_ro(
          "shape", [](const ModelTensor& tensor) { return extents_of(tensor.shape); },
          nb::sig("def shape(self) -> tuple[int | str, ...]"), "Extents: numbers, or names of Params.")
      .def("__repr__", [](const ModelTensor& t) {
        return fmt::format("ModelTensor({}: {} {})", t.name, to_string(t.type),
                           nb::cast<std::string>(nb::repr(extents_of(t.shape))));
      });
}

}  // namespace

void bind_models(nb::module_& module) {
  bind_options(module);
  bind_tensors(module);
  nb::class_<Model> model(module, "Model", "An ONNX model.");
  model.def_static(
      "load", load, nb::arg("path"), nb::kw_only(), nb::arg("random_weights") = false,
      nb::arg("dims") = std::map<std::string, std::int64_t>(),
      nb::arg("states") = std::map<std::string, std::string>(), nb::arg("initializers") = nb::dict(),
      nb::arg("constants") = nb::dict(), nb::arg("inputs") = nb::dict(), nb::arg("allow_narrowing") = false,
      nb::sig("def load(path: str | os.PathLike[str], *, random_weights: bool = False, dims: "
              "Mapping[str, int] = {}, states: Mapping[str, str] = {}, initializers: "
              "Mapping[str, ArrayLike] = {}, constants: Mapping[str, ArrayLike] = {}, "
              "inputs: Mapping[str, ArrayLike] = {}, allow_narrowing: bool = False) -> Model"),
      "Reads a file of opset 6 to 28. `random_weights`: weights whose external file is absent "
      "get values. `dims`: sizes of symbolic dimensions. `states`: maps an input to the output that "
      "is its next value. `initializers`: values in place of initializers that are inputs "
      "too. `constants`: values of inputs that become constants. `inputs`: inputs as they "
      "will be given; where a size or a value has to be known before the model runs, it is loaded "
      "only for these, with a warning. `allow_narrowing`: f64 is computed in f32 on a device "
      "without it.");
  model.def_prop_ro("inputs", &Model::inputs, "The inputs in the model's order.");
  model.def_prop_ro("outputs", &Model::outputs, "The outputs in the model's order.");
  model.def_prop_ro("overridden", &Model::overridden,
                    "Names of load()'s `initializers` and `inputs` that became constants of the model.");
  model.def_prop_ro("warnings", &Model::warnings, "Warnings of the loading.");
  model.def_prop_ro(
      "params",
      [](const Model& self) {
        std::vector<std::string> names;
        for (const Program::Param& param : self.params()) names.push_back(param.name);
        return names;
      },
      "The symbolic dimensions that have no size.");
  model.def("with_outputs", &Model::with_outputs, nb::arg("names"),
            "Returns the model with these outputs in place of its own.");
  model.def("compile", &Model::compile, nb::arg("target") = CompileTarget(), nb::call_guard<Unlocked>(),
            "Compiles to a Program. No device is needed.");
  model.def(
      "autoschedule", autoschedule, nb::arg("device"), nb::arg("target") = CompileTarget(),
      nb::arg("trials") = 0, nb::arg("seconds") = nb::none(), nb::arg("database") = "",
      "Compiles with schedules that a model of the device chose among all that apply, or that `trials` of "
      "the "
      "best of them on it chose, in at most `seconds`; `database`: a file that keeps the measurements.");
  model.def("emit", &Model::emit, nb::arg("stage"), nb::arg("target") = CompileTarget(),
            nb::arg("filter") = "", nb::call_guard<Unlocked>(),
            "Returns one stage of the compilation as text: \"graph\", \"classes\", \"groups\", \"layouts\", "
            "\"funcs\", \"nest\", \"loops\", \"ir\", \"cl\" or \"program\".");
  model.def("explain", &Model::explain, nb::arg("target"), nb::arg("filter"),
            "Explains the performance of kernels.");
  model.def(
      "interpret",
      [](const Model& self, nb::handle inputs) {
        const auto buffers = inputs_of(self, inputs);
        std::map<std::string, Buffer> outputs;
        {
          const Unlocked unlocked;
          outputs = self.interpret(buffers);
        }
        nb::dict result;
        for (const auto& [name, value] : outputs) result[name.c_str()] = array_from(value);
        return result;
      },
      nb::arg("inputs"),
      nb::sig("def interpret(self, inputs: Mapping[str, ArrayLike]) -> dict[str, numpy.ndarray]"),
      "Computes the nodes' outputs by their definitions, on the host, slowly.");
  model.def("__repr__", [](const Model& self) {
    return fmt::format("Model({} -> {})", tensors_text(self.inputs()), tensors_text(self.outputs()));
  });
}

}  // namespace tensordsl::python

#include <fmt/format.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "python/bindings/runners.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::python {
namespace {

using DevicePointer = std::shared_ptr<Device>;
using Shape = std::vector<std::int64_t>;

/// The default one if none is given.
DevicePointer device_or_default(DevicePointer device) { return device ? device : Device::open(); }

/// What has no type of its own, as a list of numbers, is of the Input's.
std::map<std::string, Buffer> buffers_of(const Pipeline& pipeline, const nb::dict& arrays) {
  std::map<std::string, Buffer> result;
  std::optional<Program> program;
  for (const auto [key, value] : arrays) {
    const auto name = nb::cast<std::string>(key);
    std::optional<Type> wanted;
    if (!nb::hasattr(value, "dtype")) {
      if (!program) program = pipeline.compile();
      const auto input = std::ranges::find(program->inputs, name, &Program::Value::name);
      if (input != program->inputs.end()) wanted = input->type;
    }
    result.emplace(name, buffer_of(array_of(value, wanted)));
  }
  return result;
}

nb::list arrays_of(const std::vector<Buffer>& buffers) {
  nb::list result;
  for (const Buffer& buffer : buffers) result.append(array_from(buffer));
  return result;
}

std::unique_ptr<Runner> prepared(const Pipeline& pipeline, const DevicePointer& device,
                                 const ParamValues& params, const OutputShapes& shapes) {
  const nb::gil_scoped_release unlocked;
  return pipeline.prepare_all(*device, params, shapes);
}

Trace trace_of(const std::optional<nb::callable>& trace) {
  if (!trace) return nullptr;
  return [callable = *trace](const TraceEvent& event) { callable(event.to_string()); };
}

void bind_compilation(nb::class_<Pipeline>& pipeline) {
  pipeline.def(nb::init<Func>(), nb::arg("output"), "One Func to be computed, with all that it reads.");
  pipeline.def(nb::init<std::vector<Func>>(), nb::arg("outputs"),
               "Several: each is computed at the root, once.");
  pipeline.def(
      "set_constant",
      [](Self self, const std::string& input, ArrayLike value) {
        nb::cast<Pipeline&>(self).set_constant(input, buffer_of(array_of(value, std::nullopt)));
        return self;
      },
      nb::arg("input"), nb::arg("value"), "The Input has this value in every run, and is no input any more.");
  pipeline.def(
      "compile",
      [](const Pipeline& self, const DevicePointer& device) {
        const nb::gil_scoped_release unlocked;
        return device ? self.compile(device->info()) : self.compile();
      },
      nb::arg("device") = nb::none(), "Lowers and emits. With a device, its limits are kept.");
  pipeline.def(
      "emit",
      [](const Pipeline& self, const std::string& stage, const DevicePointer& device) {
        return device ? self.emit(stage, device->info()) : self.emit(stage);
      },
      nb::arg("stage"), nb::arg("device") = nb::none(),
      "One stage of the compilation as text: \"funcs\", \"nest\", \"loops\", \"ir\" or \"cl\", the kernels; "
      "with a device in the language that it runs.");
  pipeline.def("print_loop_nest", &Pipeline::print_loop_nest,
               "The kernels as a picture: loops, tiles, what is computed.");
  pipeline.def(
      "disable_pass",
      [](Self self, const std::string& pass) {
        nb::cast<Pipeline&>(self).disable_pass(pass);
        return self;
      },
      nb::arg("pass_name"),
      "Compiles without a pass that only makes kernels faster, to measure what it does.");
  pipeline.def(
      "write_cl", [](const Pipeline& self, nb::object folder) { self.write_cl(path_of(folder)); },
      nb::arg("folder"), nb::sig("def write_cl(self, folder: str | os.PathLike[str]) -> None"),
      "Writes the Program into a folder.");
  pipeline.def_prop_ro("schedule", &Pipeline::schedule, "What has been directed so far.");
  pipeline.def(
      "auto_schedule",
      [](const Pipeline& self, const Device& device, std::int64_t trials, const OutputShapes& shapes) {
        const nb::gil_scoped_release unlocked;
        if (trials == 0) return self.auto_schedule(device.info(), shapes);
        AutoscheduleOptions options;
        options.trials = trials;
        options.device = const_cast<Device*>(&device);
        return self.auto_schedule(*options.device, options, shapes);
      },
      nb::arg("device"), nb::arg("trials") = 0, nb::arg("shapes") = OutputShapes(),
      "A schedule that the library chooses, for Schedule.apply: by a model of the device or, with `trials`, "
      "by so many schedules that are timed on it.");
}

void bind_execution(nb::class_<Pipeline>& pipeline) {
  const char* arrays =
      "Compiles, builds and runs once. `inputs` are by the Inputs' names. What is row-major, of the type "
      "that kernels read, and at an address that they can do with is not copied where the device shares the "
      "host's memory; nor are the results. `params`: the value of each Param; `shape`: of an output that has "
      "no bound().";
  pipeline.def(
      "realize",
      [](const Pipeline& self, const nb::dict& inputs, DevicePointer device, const nb::dict& params,
         const std::optional<Shape>& shape) {
        device = device_or_default(std::move(device));
        const ParamValues values = params_of(params);
        std::unique_ptr<Runner> runner;
        {
          const nb::gil_scoped_release unlocked;
          runner = self.prepare(*device, values, shape.value_or(Shape()));
        }
        if (const std::size_t outputs = runner->program().outputs.size(); outputs != 1)
          throw Error(fmt::format("realize: there are {} outputs; say realize_all", outputs));
        return run_once(std::move(runner), inputs)[0];
      },
      nb::arg("inputs") = nb::dict(), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::arg("shape") = nb::none(),
      nb::sig("def realize(self, inputs: Mapping[str, ArrayLike] = {}, device: Device | None = None, params: "
              "Mapping[str, float] = {}, shape: Sequence[int] | None = None) -> numpy.ndarray"),
      arrays);
  pipeline.def(
      "realize_all",
      [](const Pipeline& self, const nb::dict& inputs, DevicePointer device, const nb::dict& params,
         const OutputShapes& shapes) {
        return run_once(prepared(self, device_or_default(std::move(device)), params_of(params), shapes),
                        inputs);
      },
      nb::arg("inputs") = nb::dict(), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::arg("shapes") = OutputShapes(),
      nb::sig(
          "def realize_all(self, inputs: Mapping[str, ArrayLike] = {}, device: Device | None = None, params: "
          "Mapping[str, float] = {}, shapes: Mapping[str, Sequence[int]] = {}) -> list[numpy.ndarray]"),
      "The same of several outputs, or of tuples.");
  pipeline.def(
      "prepare",
      [](const Pipeline& self, DevicePointer device, const nb::dict& params, const OutputShapes& shapes) {
        return ArrayRunner{prepared(self, device_or_default(std::move(device)), params_of(params), shapes),
                           {}};
      },
      nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::sig("def prepare(self, device: Device | None = None, params: Mapping[str, float] = {}, shapes: "
              "Mapping[str, Sequence[int]] = {}) -> Runner"),
      "Compiles and builds once, for many runs. `shapes`: of outputs that have no bound().");
  const char* reference =
      "Computes the outputs by their definitions alone: no schedule, no device. Slow, exact and strict. "
      "`trace` is called with each element that is read of a Func with trace_loads(), or written of one with "
      "trace_stores().";
  pipeline.def(
      "interpret",
      [](const Pipeline& self, const nb::dict& inputs, const nb::dict& params, const OutputShapes& shapes,
         const std::optional<nb::callable>& trace) {
        return arrays_of(
            self.interpret(buffers_of(self, inputs), params_of(params), shapes, trace_of(trace)));
      },
      nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::arg("trace") = nb::none(),
      nb::sig("def interpret(self, inputs: Mapping[str, ArrayLike] = {}, params: Mapping[str, float] = {}, "
              "shapes: Mapping[str, Sequence[int]] = {}, trace: Callable[[str], None] | None = None) -> "
              "list[numpy.ndarray]"),
      reference);
  pipeline.def(
      "simulate",
      [](const Pipeline& self, const nb::dict& inputs, const nb::dict& params, const OutputShapes& shapes,
         const std::optional<nb::callable>& trace) {
        return arrays_of(self.simulate(buffers_of(self, inputs), params_of(params), shapes, trace_of(trace)));
      },
      nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::arg("trace") = nb::none(),
      nb::sig("def simulate(self, inputs: Mapping[str, ArrayLike] = {}, params: Mapping[str, float] = {}, "
              "shapes: Mapping[str, Sequence[int]] = {}, trace: Callable[[str], None] | None = None) -> "
              "list[numpy.ndarray]"),
      "Runs the lowered kernels on the host, work-item by work-item: bad accesses, reads of what nobody "
      "wrote and races are errors.");
  pipeline.def(
      "value_at",
      [](const Pipeline& self, const std::string& func, const Shape& index, const nb::dict& inputs,
         const nb::dict& params) {
        return arrays_of(self.value_at(func, index, buffers_of(self, inputs), params_of(params)));
      },
      nb::arg("func"), nb::arg("index"), nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(),
      nb::sig("def value_at(self, func: str, index: Sequence[int], inputs: Mapping[str, ArrayLike] = {}, "
              "params: Mapping[str, float] = {}) -> list[numpy.ndarray]"),
      "One element of a Func of the pipeline, by the definitions: a scalar for each component.");
}

}  // namespace

void bind_pipelines(nb::module_& module) {
  nb::class_<Pipeline> pipeline(module, "Pipeline",
                                "One or several Funcs to be computed, with all that they read.");
  bind_compilation(pipeline);
  bind_execution(pipeline);
}

}  // namespace tensordsl::python

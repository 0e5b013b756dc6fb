#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/notebook.h"
#include "python/bindings/python_lock.h"
#include "python/bindings/runners.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/conversion.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::python {
namespace {

using Shape = std::vector<std::int64_t>;

/// A Pipeline that knows its outputs.
struct PipelineOf : Pipeline {
  explicit PipelineOf(std::vector<Func> computed) : Pipeline(computed), outputs(std::move(computed)) {}
  std::vector<Func> outputs;
};

/// Returns the type of an Input; none if the outputs read no Func of that name.
std::optional<Type> input_type(const PipelineOf& pipeline, const std::string& name) {
  try {
    return producer(pipeline.outputs, name).type();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Converts to the type of the Input that it is given for; the Pipeline refuses other names.
Buffer input_buffer(const PipelineOf& pipeline, const std::string& name, nb::handle value) {
  const std::optional<Type> type = input_type(pipeline, name);
  const HostArray array = type ? input_array_of(value, *type) : array_of(value, std::nullopt);
  if (type && array.type != *type)
    throw ShapeError(fmt::format("the input \"{}\" is {}, but the array is {}{}", name, to_string(*type),
                                 to_string(array.type), conversion_remedy(*type)));
  return buffer_of(array);
}

std::map<std::string, Buffer> buffers_of(const PipelineOf& pipeline, nb::handle arrays) {
  std::map<std::string, Buffer> result;
  for (const auto& [name, value] : entries_of(arrays, "inputs"))
    result.emplace(name, input_buffer(pipeline, name, value));
  return result;
}

nb::list arrays_of(const std::vector<Buffer>& buffers) {
  nb::list result;
  for (const Buffer& buffer : buffers) result.append(array_from(buffer));
  return result;
}

std::unique_ptr<Runner> prepared(const Pipeline& pipeline, const DeviceLike& device, nb::handle params,
                                 const OutputShapes& shapes) {
  const ParamValues values = params_of(params);
  const std::shared_ptr<Device> on = device_or_default(device);
  const Unlocked unlocked;
  return pipeline.prepare_all(*on, values, shapes);
}

/// Called without Python's lock.
Trace trace_of(const std::optional<nb::callable>& trace) {
  if (!trace) return nullptr;
  return [kept = keep(*trace), callable = nb::handle(*trace)](const TraceEvent& event) {
    const nb::gil_scoped_acquire lock;
    callable(event.to_string());
  };
}

/// interpret() or simulate().
template <typename Computed>
nb::list computed(const PipelineOf& pipeline, Computed compute, nb::handle inputs, nb::handle params,
                  const OutputShapes& shapes, const std::optional<nb::callable>& trace) {
  const auto buffers = buffers_of(pipeline, inputs);
  const ParamValues values = params_of(params);
  const Trace told = trace_of(trace);
  std::vector<Buffer> results;
  {
    const Unlocked unlocked;
    results = (pipeline.*compute)(buffers, values, shapes, told);
  }
  return arrays_of(results);
}

void bind_compilation(nb::class_<PipelineOf>& pipeline) {
  pipeline.def(
      "__init__",
      [](PipelineOf* self, const Func& output) { new (self) PipelineOf(std::vector<Func>{output}); },
      nb::arg("output"), "Makes a pipeline of one output, with all Funcs that it reads.");
  pipeline.def(nb::init<std::vector<Func>>(), nb::arg("outputs"),
               "Makes a pipeline of several outputs: each is computed at the root, once.");
  pipeline.def(
      "set_constant",
      [](Self self, const std::string& input, ArrayLike value) {
        auto& changed = nb::cast<PipelineOf&>(self);
        changed.set_constant(input, input_buffer(changed, input, value));
        return self;
      },
      nb::arg("input"), nb::arg("value"),
      "Gives the Input this value in every run; it is then no longer an input.");
  pipeline.def(
      "compile",
      [](const PipelineOf& self, DeviceLike device) {
        const std::shared_ptr<Device> target = device_of(device);
        const Unlocked unlocked;
        return target ? self.compile(target->info()) : self.compile();
      },
      nb::arg("device") = nb::none(),
      "Lowers and emits kernels, within the limits of the device if it is given.");
  pipeline.def(
      "emit",
      [](const PipelineOf& self, const std::string& stage, DeviceLike device) {
        const std::shared_ptr<Device> target = device_of(device);
        const Unlocked unlocked;
        return target ? self.emit(stage, target->info()) : self.emit(stage);
      },
      nb::arg("stage"), nb::arg("device") = nb::none(),
      "One stage of the compilation as text: \"funcs\", \"nest\", \"loops\", \"ir\" or \"cl\", the kernels; "
      "with a device in the language that it runs.");
  pipeline.def("print_loop_nest", &Pipeline::print_loop_nest,
               "Returns an outline of the kernels: loops, tiles, results.");
  pipeline.def(
      "disable_pass",
      [](Self self, const std::string& pass) {
        nb::cast<PipelineOf&>(self).disable_pass(pass);
        return self;
      },
      nb::arg("pass_name"), "Compiles without a pass that only makes kernels faster, to measure its effect.");
  pipeline.def(
      "write_cl", [](const PipelineOf& self, nb::object folder) { self.write_cl(path_of(folder)); },
      nb::arg("folder"), nb::sig("def write_cl(self, folder: str | os.PathLike[str]) -> None"),
      "Writes the Program into a folder.");
  pipeline.def_prop_ro("schedule", &Pipeline::schedule, "The directives given so far.");
  pipeline.def(
      "auto_schedule",
      [](const PipelineOf& self, DeviceLike device, std::int64_t trials, const OutputShapes& shapes) {
        if (trials < 0)
          throw Error(fmt::format("auto_schedule: trials is {}; it must not be negative", trials));
        const std::shared_ptr<Device> target = device_or_default(device);
        AutoscheduleOptions options;
        options.trials = trials;
        options.device = target.get();
        options.should_stop = was_interrupted;
        std::optional<Schedule> schedule;
        {
          const Unlocked unlocked;
          schedule = trials == 0 ? self.auto_schedule(target->info(), shapes)
                                 : self.auto_schedule(*target, options, shapes);
        }
        throw_if_interrupted();
        return *schedule;
      },
      nb::arg("device"), nb::arg("trials") = 0, nb::arg("shapes") = OutputShapes(),
      "Returns a schedule that the library chooses, for Schedule.apply: by a model of the device or, with "
      "`trials`, by timing that many schedules on it.");
}

void bind_execution(nb::class_<PipelineOf>& pipeline) {
  const char* arrays =
      "Compiles, builds and runs once. `inputs` are by the Inputs' names. Arrays that are row-major, of the "
      "type "
      "that kernels read, and at an address that they accept are not copied if the device shares the "
      "host's memory; nor are the results. `params`: the value of each Param; `shape`: that of an output "
      "without bound().";
  pipeline.def(
      "realize",
      [](const PipelineOf& self, nb::handle inputs, DeviceLike device, nb::handle params, nb::handle shape) {
        const ParamValues values = params_of(params);
        const Shape extents = shape.is_none() ? Shape() : shape_of(shape, "realize");
        const std::shared_ptr<Device> on = device_or_default(device);
        std::unique_ptr<Runner> runner;
        {
          const Unlocked unlocked;
          runner = self.prepare(*on, values, extents);
        }
        if (const std::size_t outputs = runner->program().outputs.size(); outputs != 1)
          throw Error(fmt::format("realize: the pipeline has {} outputs; use realize_all", outputs));
        return run_once(std::move(runner), inputs)[0];
      },
      nb::arg("inputs") = nb::dict(), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::arg("shape") = nb::none(),
      nb::sig("def realize(self, inputs: Mapping[str, ArrayLike] = {}, device: Device | str | None = None, "
              "params: Mapping[str, float] = {}, shape: int | Sequence[int] | None = None) -> numpy.ndarray"),
      arrays);
  pipeline.def(
      "realize_all",
      [](const PipelineOf& self, nb::handle inputs, DeviceLike device, nb::handle params,
         const OutputShapes& shapes) { return run_once(prepared(self, device, params, shapes), inputs); },
      nb::arg("inputs") = nb::dict(), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::arg("shapes") = OutputShapes(),
      nb::sig(
          "def realize_all(self, inputs: Mapping[str, ArrayLike] = {}, device: Device | str | None = None, "
          "params: Mapping[str, float] = {}, shapes: Mapping[str, Sequence[int]] = {}) -> "
          "list[numpy.ndarray]"),
      "Compiles, builds and runs once, and returns several outputs, or the components of tuples.");
  pipeline.def(
      "prepare",
      [](const PipelineOf& self, DeviceLike device, nb::handle params, const OutputShapes& shapes) {
        return ArrayRunner(prepared(self, device, params, shapes));
      },
      nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::sig("def prepare(self, device: Device | str | None = None, params: Mapping[str, float] = {}, "
              "shapes: Mapping[str, Sequence[int]] = {}) -> Runner"),
      "Compiles and builds once, for many runs. `shapes`: those of outputs without bound().");
  const char* reference =
      "Computes the outputs directly from their definitions, without a schedule or a device. Slow, exact and "
      "strict. "
      "`trace` is called with each element that is read of a Func with trace_loads(), or written of one with "
      "trace_stores().";
  pipeline.def(
      "interpret",
      [](const PipelineOf& self, nb::handle inputs, nb::handle params, const OutputShapes& shapes,
         const std::optional<nb::callable>& trace) {
        return computed(self, &Pipeline::interpret, inputs, params, shapes, trace);
      },
      nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::arg("trace") = nb::none(),
      nb::sig("def interpret(self, inputs: Mapping[str, ArrayLike] = {}, params: Mapping[str, float] = {}, "
              "shapes: Mapping[str, Sequence[int]] = {}, trace: Callable[[str], None] | None = None) -> "
              "list[numpy.ndarray]"),
      reference);
  pipeline.def(
      "simulate",
      [](const PipelineOf& self, nb::handle inputs, nb::handle params, const OutputShapes& shapes,
         const std::optional<nb::callable>& trace) {
        return computed(self, &Pipeline::simulate, inputs, params, shapes, trace);
      },
      nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(), nb::arg("shapes") = OutputShapes(),
      nb::arg("trace") = nb::none(),
      nb::sig("def simulate(self, inputs: Mapping[str, ArrayLike] = {}, params: Mapping[str, float] = {}, "
              "shapes: Mapping[str, Sequence[int]] = {}, trace: Callable[[str], None] | None = None) -> "
              "list[numpy.ndarray]"),
      "Runs the lowered kernels on the host, work-item by work-item: bad accesses, reads of unwritten "
      "elements and races are errors.");
  pipeline.def(
      "value_at",
      [](const PipelineOf& self, const std::string& func, nb::handle index, nb::handle inputs,
         nb::handle params) {
        return arrays_of(
            self.value_at(func, shape_of(index, "value_at"), buffers_of(self, inputs), params_of(params)));
      },
      nb::arg("func"), nb::arg("index"), nb::arg("inputs") = nb::dict(), nb::arg("params") = nb::dict(),
      nb::sig(
          "def value_at(self, func: str, index: int | Sequence[int], inputs: Mapping[str, ArrayLike] = {}, "
          "params: Mapping[str, float] = {}) -> list[numpy.ndarray]"),
      "Computes one element of a Func of the pipeline by the definitions: a scalar for each component.");
}

}  // namespace

void bind_pipelines(nb::module_& module) {
  nb::class_<PipelineOf> pipeline(module, "Pipeline",
                                  "One or several Funcs to be computed, with all Funcs that they read.");
  bind_compilation(pipeline);
  bind_execution(pipeline);
  pipeline.def("__repr__", [](const PipelineOf& self) {
    std::string names;
    for (const Func& output : self.outputs) names += (names.empty() ? "" : ", ") + output.name();
    return fmt::format("Pipeline({})", names);
  });
  bind_page(pipeline);
}

}  // namespace tensordsl::python

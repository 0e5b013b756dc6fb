#include "python/bindings/runners.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <set>
#include <type_traits>

#include "python/bindings/python_lock.h"
#include "tensordsl/conversion.h"
#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

/// While it lives the Runner is this call's. Throws Error where it is another one's.
class Use {
 public:
  explicit Use(const ArrayRunner& runner) : in_use_(*runner.in_use) {
    if (in_use_.test_and_set())
      throw Error("the Runner is in use by another thread; use one Runner per thread");
  }
  ~Use() { in_use_.clear(); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  std::atomic_flag& in_use_;
};

/// Returns "a", "b" in quotes, or none.
std::string names_text(const std::vector<Program::Value>& values) {
  std::string names;
  for (const Program::Value& value : values) names += (names.empty() ? "\"" : ", \"") + value.name + "\"";
  return names.empty() ? "none" : names;
}

const Program::Value& input_of(const Runner& runner, const std::string& name) {
  const auto& inputs = runner.program().inputs;
  const auto found = std::ranges::find(inputs, name, &Program::Value::name);
  if (found != inputs.end()) return *found;
  throw Error(fmt::format("the program has no input \"{}\"; its inputs are {}", name, names_text(inputs)));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return "[" + text + "]";
}

void check_array(const Runner& runner, const char* kind, const Program::Value& value,
                 const HostArray& array) {
  const auto shape = runner.shape(value.name);
  if (array.type == value.type && array.shape == shape) return;
  throw ShapeError(fmt::format("the {} \"{}\" is {} {}, but the array is {} {}{}", kind, value.name,
                               to_string(value.type), shape_text(shape), to_string(array.type),
                               shape_text(array.shape),
                               array.type == value.type ? "" : conversion_remedy(value.type)));
}

/// The value of an input. Throws ShapeError if it is of another type or shape.
HostArray input_array(const Runner& runner, const std::string& name, nb::handle value) {
  const Program::Value& input = input_of(runner, name);
  HostArray array = input_array_of(value, input.type);
  check_array(runner, "input", input, array);
  return array;
}

bool bind_array(ArrayRunner& self, const std::string& name, const HostArray& array, bool is_input) {
  {
    const std::shared_ptr<const void> kept = keep(array.array);
    const Unlocked unlocked;
    if (!self.runner->bind_memory(name, array.bytes, kept)) return false;
  }
  self.bound.insert_or_assign(name, BoundArray{array, is_input});
  return true;
}

bool bind(ArrayRunner& self, const std::string& name, nb::handle object) {
  const auto &inputs = self.runner->program().inputs, &outputs = self.runner->program().outputs;
  const auto input = std::ranges::find(inputs, name, &Program::Value::name),
             output = std::ranges::find(outputs, name, &Program::Value::name);
  const bool is_input = input != inputs.end();
  if (!is_input && output == outputs.end())
    throw Error(fmt::format("bind: \"{}\" is not an input or output of the program", name));
  const HostArray array = own_array_of(object);
  const Use use(self);
  check_array(*self.runner, is_input ? "input" : "output", is_input ? *input : *output, array);
  return bind_array(self, name, array, is_input);
}

/// Params may have changed since.
void check_bound(const ArrayRunner& self) {
  for (const auto& [name, bound] : self.bound) {
    const auto shape = self.runner->shape(name);
    if (shape == bound.array.shape) continue;
    throw ShapeError(fmt::format("\"{}\" is now {}, but the array bound to it is {}; bind another array",
                                 name, shape_text(shape), shape_text(bound.array.shape)));
  }
}

/// Runs `run` between copies of the arrays: inputs go to the device before it, outputs come back after it.
template <typename Run>
auto run_with(ArrayRunner& self, Run run) {
  const Use use(self);
  check_bound(self);
  const Unlocked unlocked;
  for (const auto& [name, bound] : self.bound) {
    if (bound.is_input) self.runner->write(name, bound.array.bytes);
  }
  const auto fetch = [&] {
    for (const auto& [name, bound] : self.bound) {
      if (!bound.is_input) self.runner->read(name, bound.array.bytes);
    }
  };
  if constexpr (std::is_void_v<decltype(run(*self.runner))>) {
    run(*self.runner);
    fetch();
  } else {
    auto result = run(*self.runner);
    fetch();
    return result;
  }
}

nb::dict params_to_python(const ArrayRunner& self) {
  const Use use(self);
  nb::dict result;
  for (const auto& [name, value] : self.runner->params()) {
    result[name.c_str()] =
        value.is_integer() ? nb::object(nb::int_(value.integer())) : nb::float_(value.number());
  }
  return result;
}

void write_input(ArrayRunner& self, const std::string& name, nb::handle value) {
  const HostArray array = input_array_of(value, input_of(*self.runner, name).type);
  const Use use(self);
  check_array(*self.runner, "input", input_of(*self.runner, name), array);
  const Unlocked unlocked;
  self.runner->write(name, array.bytes);
}

/// Returns the output of this name, and without a name the only one.
const Program::Value& output_of(const Runner& runner, const std::optional<std::string>& name) {
  const auto& outputs = runner.program().outputs;
  if (!name && outputs.size() == 1) return outputs.front();
  if (!name)
    throw Error(
        fmt::format("read: the program has {} outputs, {}; name one", outputs.size(), names_text(outputs)));
  const auto found = std::ranges::find(outputs, *name, &Program::Value::name);
  if (found != outputs.end()) return *found;
  throw Error(
      fmt::format("read: the program has no output \"{}\"; its outputs are {}", *name, names_text(outputs)));
}

nb::object read_output(const ArrayRunner& self, const std::optional<std::string>& name) {
  const Program::Value& output = output_of(*self.runner, name);
  const Use use(self);
  const HostArray array = make_array(output.type, self.runner->shape(output.name));
  {
    const Unlocked unlocked;
    self.runner->read(output.name, array.bytes);
  }
  return array.array;
}

void run(ArrayRunner& self) {
  run_with(self, [](Runner& runner) { runner.run(); });
}

}  // namespace

ArrayRunner::~ArrayRunner() {
  if (!runner) return;
  const Unlocked unlocked;
  runner.reset();
}

std::vector<nb::object> run_once(std::unique_ptr<Runner> runner, nb::handle inputs) {
  ArrayRunner self(std::move(runner));
  std::set<std::string> given;
  for (const auto& [name, value] : entries_of(inputs, "inputs")) {
    given.insert(name);
    const HostArray array = input_array(*self.runner, name, value);
    if (!bind_array(self, name, array, true)) self.runner->write(name, array.bytes);
  }
  for (const Program::Value& input : self.runner->program().inputs) {
    if (!given.contains(input.name))
      throw Error(fmt::format("no value for the input \"{}\"; pass one", input.name));
  }
  if (self.runner->program().counts.empty()) {
    for (const Program::Value& output : self.runner->program().outputs) {
      if (self.bound.contains(output.name)) continue;
      const HostArray array = make_array(output.type, self.runner->shape(output.name));
      bind_array(self, output.name, array, false);
    }
  }
  run(self);
  std::vector<nb::object> outputs;
  for (const Program::Value& output : self.runner->program().outputs) {
    const auto bound = self.bound.find(output.name);
    const bool is_there = bound != self.bound.end() && !bound->second.is_input;
    outputs.push_back(is_there ? bound->second.array.array : read_output(self, output.name));
  }
  return outputs;
}

void bind_runners(nb::module_& module) {
  module.def(
      "empty",
      [](nb::handle shape, TypeLike type) {
        return make_array(type_of(type), shape_of(shape, "empty")).array;
      },
      nb::arg("shape"), nb::arg("type"),
      nb::sig("def empty(shape: int | Sequence[int], type: Type | DTypeLike) -> numpy.ndarray"),
      "Returns an uninitialized array at an address that every kernel accepts, so that it need not be "
      "copied.");
  module.def(
      "as_array", [](nb::handle value, TypeLike type) { return input_array_of(value, type_of(type)).array; },
      nb::arg("value"), nb::arg("type"),
      nb::sig("def as_array(value: ArrayLike, type: Type | DTypeLike) -> numpy.ndarray"),
      "Returns `value` as an array for an input of this type: converted if every value of its type is one of "
      "`type`, else unchanged.");

  nb::class_<ArrayRunner> cls(
      module, "Runner",
      "A Program on a device, to be run many times. One thread at a time may use it; another one "
      "gets an Error.");
  cls.def(
      "__init__",
      [](ArrayRunner* self, std::shared_ptr<Program> program, DeviceLike device, nb::handle params) {
        const ParamValues values = params_of(params);
        const std::shared_ptr<Device> on = device_or_default(device);
        std::unique_ptr<Runner> runner;
        {
          const Unlocked unlocked;
          runner = std::make_unique<Runner>(std::move(program), *on, values);
        }
        new (self) ArrayRunner(std::move(runner));
      },
      nb::arg("program"), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::sig("def __init__(self, program: Program, device: Device | str | None = None, params: "
              "Mapping[str, float] = {}) -> None"),
      "Builds the kernels, and brings the constants to the device. `params` has the value of each Param.");
  cls.def("write", write_input, nb::arg("input"), nb::arg("value"),
          nb::sig("def write(self, input: str, value: ArrayLike) -> None"),
          "Gives an input its value. Where an array is bound to the input, that array gets it.");
  cls.def("run", run, "Runs all launches and waits for the last.");
  cls.def("read", read_output, nb::arg("output") = nb::none(),
          nb::sig("def read(self, output: str | None = None) -> numpy.ndarray"),
          "Returns an output of the last run. The name may be left out if there is one output.");
  cls.def(
      "bind", bind, nb::arg("name"), nb::arg("array"),
      nb::sig("def bind(self, name: str, array: numpy.ndarray) -> bool"),
      "Makes the array's memory the input or output of all runs to come: run() reads its elements, or has "
      "written them when it returns. Returns False and changes nothing if that would need a copy: then use "
      "write() and read(). Arrays of tensordsl.empty are at addresses that kernels accept.");
  cls.def(
      "run_timed",
      [](ArrayRunner& self) { return run_with(self, [](Runner& runner) { return runner.run_timed(); }); },
      "Runs as run() does, and returns the nanoseconds of each launch, from the device's clock.");
  cls.def(
      "set_params",
      [](ArrayRunner& self, nb::handle params) {
        const ParamValues values = params_of(params);
        const Use use(self);
        const Unlocked unlocked;
        self.runner->set_params(values);
      },
      nb::arg("params"), nb::sig("def set_params(self, params: Mapping[str, float]) -> None"),
      "Changes Params, to values for which there is memory.");
  cls.def(
      "clear_states",
      [](ArrayRunner& self) {
        const Use use(self);
        self.runner->clear_states();
      },
      "Resets the states to those before the first run.");
  cls.def(
      "shape",
      [](const ArrayRunner& self, const std::string& name) {
        const Use use(self);
        return nb::tuple(nb::cast(self.runner->shape(name)));
      },
      nb::arg("name"), nb::sig("def shape(self, name: str) -> tuple[int, ...]"),
      "Returns the current shape of an input or output.");
  cls.def_prop_ro("params", params_to_python, nb::sig("def params(self) -> dict[str, float]"),
                  "The values of the Params.");
  cls.def_prop_ro(
      "program", [](const ArrayRunner& self) { return self.runner->program(); }, "The Program that it runs.");
  cls.def_prop_ro(
      "device", [](const ArrayRunner& self) { return self.runner->device().shared_from_this(); },
      "The device that it runs on.");
  cls.def("__repr__", [](const ArrayRunner& self) {
    return fmt::format("Runner({} on {})", self.runner->program().name, self.runner->device().info().name);
  });
}

}  // namespace tensordsl::python

#include "python/bindings/runners.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "tensordsl/error.h"

namespace tensordsl::python {
namespace {

const Program::Value& input_of(const Runner& runner, const std::string& name) {
  const auto& inputs = runner.program().inputs;
  const auto found = std::ranges::find(inputs, name, &Program::Value::name);
  if (found != inputs.end()) return *found;
  std::string names;
  for (const Program::Value& input : inputs) names += (names.empty() ? "\"" : ", \"") + input.name + "\"";
  throw Error(fmt::format("there is no input \"{}\"; there are {}", name, names.empty() ? "none" : names));
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
  throw ShapeError(fmt::format("the {} \"{}\" is {} {}, but the array is {} {}", kind, value.name,
                               to_string(value.type), shape_text(shape), to_string(array.type),
                               shape_text(array.shape)));
}

/// The value of an input. Throws ShapeError if it is of another type or shape.
HostArray input_array(const Runner& runner, const std::string& name, nb::handle value) {
  const Program::Value& input = input_of(runner, name);
  HostArray array = array_of(value, input.type);
  check_array(runner, "input", input, array);
  return array;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return !a.empty() && !b.empty() && a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

bool bind_array(ArrayRunner& self, const std::string& name, const HostArray& array, bool is_input) {
  for (const auto& [other, bound] : self.bound) {
    if (other != name && overlap(bound.array.bytes, array.bytes)) return false;
  }
  if (!self.runner->bind_memory(name, array.bytes, keep(array.array))) return false;
  self.bound.insert_or_assign(name, BoundArray{array, is_input});
  return true;
}

bool bind(ArrayRunner& self, const std::string& name, nb::handle object) {
  const auto &inputs = self.runner->program().inputs, &outputs = self.runner->program().outputs;
  const auto input = std::ranges::find(inputs, name, &Program::Value::name),
             output = std::ranges::find(outputs, name, &Program::Value::name);
  const bool is_input = input != inputs.end();
  if (!is_input && output == outputs.end())
    throw Error(fmt::format("bind: there is no input or output \"{}\"", name));
  const HostArray array = own_array_of(object);
  check_array(*self.runner, is_input ? "input" : "output", is_input ? *input : *output, array);
  return bind_array(self, name, array, is_input);
}

/// What is in arrays goes to the device before `run`, and comes from it behind.
template <typename Run>
auto run_with(ArrayRunner& self, Run run) {
  const nb::gil_scoped_release unlocked;
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

nb::dict params_to_python(const Runner& runner) {
  nb::dict result;
  for (const auto& [name, value] : runner.params()) {
    result[name.c_str()] =
        value.is_integer() ? nb::object(nb::int_(value.integer())) : nb::float_(value.number());
  }
  return result;
}

void write_input(ArrayRunner& self, const std::string& name, nb::handle value) {
  const HostArray array = input_array(*self.runner, name, value);
  const nb::gil_scoped_release unlocked;
  self.runner->write(name, array.bytes);
}

nb::object read_output(const ArrayRunner& self, const std::string& name) {
  const auto& outputs = self.runner->program().outputs;
  const auto found = std::ranges::find(outputs, name, &Program::Value::name);
  if (found == outputs.end()) throw Error(fmt::format("read: there is no output \"{}\"", name));
  const HostArray array = make_array(found->type, self.runner->shape(name));
  const nb::gil_scoped_release unlocked;
  self.runner->read(name, array.bytes);
  return array.array;
}

void run(ArrayRunner& self) {
  run_with(self, [](Runner& runner) { runner.run(); });
}

}  // namespace

ParamValues params_of(const nb::dict& params) {
  ParamValues result;
  for (const auto [key, value] : params) {
    const auto name = nb::cast<std::string>(key);
    const nb::object number = nb::hasattr(value, "item") ? value.attr("item")() : nb::borrow(value);
    if (PyFloat_Check(number.ptr())) {
      result.insert_or_assign(name, PyFloat_AsDouble(number.ptr()));
    } else if (PyLong_Check(number.ptr()) && !PyBool_Check(number.ptr())) {
      std::int64_t integer = 0;
      if (!nb::try_cast(number, integer)) {
        std::uint64_t large = 0;
        if (!nb::try_cast(number, large))
          throw Error(fmt::format("the value of \"{}\" is more than 64 bits hold", name));
        result.insert_or_assign(name, large);
      } else {
        result.insert_or_assign(name, integer);
      }
    } else {
      throw nb::type_error(fmt::format("the value of \"{}\" is no number", name).c_str());
    }
  }
  return result;
}

std::vector<nb::object> run_once(std::unique_ptr<Runner> runner, const nb::dict& inputs) {
  ArrayRunner self{std::move(runner), {}};
  for (const auto [key, value] : inputs) {
    const auto name = nb::cast<std::string>(key);
    const HostArray array = input_array(*self.runner, name, value);
    if (!bind_array(self, name, array, true)) self.runner->write(name, array.bytes);
  }
  for (const Program::Value& input : self.runner->program().inputs) {
    if (!inputs.contains(input.name.c_str()))
      throw Error(fmt::format("no value for the input \"{}\"", input.name));
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
        const bool is_number = !nb::isinstance<nb::sequence>(shape);
        const auto extents = is_number ? std::vector{nb::cast<std::int64_t>(shape)}
                                       : nb::cast<std::vector<std::int64_t>>(shape);
        return make_array(type_of(type), extents).array;
      },
      nb::arg("shape"), nb::arg("type"),
      nb::sig("def empty(shape: int | Sequence[int], type: Type | DTypeLike) -> numpy.ndarray"),
      "An array without values, at an address that every kernel can do with: none has to be copied for it.");

  nb::class_<ArrayRunner> cls(module, "Runner",
                              "A Program on a device, to be run many times. For one thread at a time.");
  cls.def(
      "__init__",
      [](ArrayRunner* self, std::shared_ptr<Program> program, std::shared_ptr<Device> device,
         const nb::dict& params) {
        const ParamValues values = params_of(params);
        const nb::gil_scoped_release unlocked;
        if (!device) device = Device::open();
        new (self) ArrayRunner{std::make_unique<Runner>(std::move(program), *device, values), {}};
      },
      nb::arg("program"), nb::arg("device") = nb::none(), nb::arg("params") = nb::dict(),
      nb::sig("def __init__(self, program: Program, device: Device | None = None, params: Mapping[str, "
              "float] = {}) -> None"),
      "Builds the kernels, and brings the constants to the device. `params` has the value of each Param.");
  cls.def("write", write_input, nb::arg("input"), nb::arg("value"),
          nb::sig("def write(self, input: str, value: ArrayLike) -> None"), "Gives an input its value.");
  cls.def("run", run, "Runs all launches and waits for the last.");
  cls.def("read", read_output, nb::arg("output"), nb::sig("def read(self, output: str) -> numpy.ndarray"),
          "An output of the last run.");
  cls.def("bind", bind, nb::arg("name"), nb::arg("array"),
          nb::sig("def bind(self, name: str, array: numpy.ndarray) -> bool"),
          "The input or output is the array's memory in all runs to come: run() takes what is in it, and has "
          "written it when it returns. False, with nothing changed, where that would need a copy: then "
          "write() and read(). Arrays that tensordsl.empty makes are at addresses that kernels can do with.");
  cls.def(
      "run_timed",
      [](ArrayRunner& self) { return run_with(self, [](Runner& runner) { return runner.run_timed(); }); },
      "The same as run(); nanoseconds of each launch, from the device's clock.");
  cls.def(
      "set_params",
      [](ArrayRunner& self, const nb::dict& params) { self.runner->set_params(params_of(params)); },
      nb::arg("params"), nb::sig("def set_params(self, params: Mapping[str, float]) -> None"),
      "Changes Params, to values for which there is memory.");
  cls.def(
      "clear_states", [](ArrayRunner& self) { self.runner->clear_states(); },
      "States are as before the first run.");
  cls.def(
      "shape",
      [](const ArrayRunner& self, const std::string& name) {
        return nb::tuple(nb::cast(self.runner->shape(name)));
      },
      nb::arg("name"), nb::sig("def shape(self, name: str) -> tuple[int, ...]"),
      "Of an input or output, as it is now.");
  cls.def_prop_ro(
      "params", [](const ArrayRunner& self) { return params_to_python(*self.runner); },
      nb::sig("def params(self) -> dict[str, float]"), "The values of the Params.");
  cls.def_prop_ro(
      "program", [](const ArrayRunner& self) { return self.runner->program(); }, "What it runs.");
  cls.def_prop_ro(
      "device", [](const ArrayRunner& self) { return self.runner->device().shared_from_this(); }, "Where.");
}

}  // namespace tensordsl::python

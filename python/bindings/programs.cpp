#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arguments.h"
#include "python/bindings/arrays.h"
#include "python/bindings/notebook.h"
#include "tensordsl/default_input.h"
#include "tensordsl/error.h"
#include "tensordsl/infer_params.h"
#include "tensordsl/package.h"
#include "tensordsl/program.h"

namespace tensordsl::python {
namespace {

/// Returns a package as the bytes of its file, which is how Programs are pickled.
nb::bytes bytes_of(const Package& package) {
  const nb::object folder = nb::module_::import_("tempfile").attr("TemporaryDirectory")();
  const std::string file = path_of(folder.attr("name")) + "/pickled.tdsl";
  write_package(package, file);
  const nb::object place = nb::module_::import_("pathlib").attr("Path")(folder.attr("name"));
  const auto bytes = nb::cast<nb::bytes>((place / nb::str("pickled.tdsl")).attr("read_bytes")());
  folder.attr("cleanup")();
  return bytes;
}

/// Reads it again, and keeps the bytes: its constants lie in them.
Package package_of(const nb::bytes& bytes) {
  const auto* first = reinterpret_cast<const std::byte*>(bytes.c_str());
  return read_package({first, bytes.size()}, keep(bytes), "the pickled package");
}

std::string text_of(const Program::Value& value) {
  return fmt::format("{}: {} {}", value.name, to_string(value.type),
                     nb::cast<std::string>(nb::repr(extents_of(value.shape))));
}

/// Returns the values of the Params that the shapes determine, with those in `params`.
ParamValues params_of_shapes(const Program& program,
                             const std::map<std::string, std::vector<std::int64_t>>& shapes,
                             nb::handle params) {
  std::vector<GivenShape> given;
  for (const Program::Value& input : program.inputs) {
    const auto shape = shapes.find(input.name);
    if (shape != shapes.end()) given.push_back({input.name, input.shape, shape->second});
  }
  ParamValues values = params_of(params);
  if (const GivenShape* unfit = infer_params(given, values)) {
    std::vector<std::string> extents;
    for (const SizeExpr& extent : unfit->extents) extents.push_back(to_string(extent));
    throw ShapeError(
        fmt::format("the input \"{}\" is [{}], but the array is [{}], and no sizes make them equal; pass an "
                    "array of another shape",
                    unfit->input, fmt::join(extents, ", "), fmt::join(unfit->shape, ", ")));
  }
  return values;
}

void bind_parts(nb::module_& module) {
  nb::class_<KernelSource>(module, "KernelSource", "One generated kernel.")
      .def_ro("entry", &KernelSource::entry, "The kernel function's name.")
      .def_ro("text", &KernelSource::text, "OpenCL C, or LLVM's assembly language.")
      .def_ro("backend", &KernelSource::backend, "Backend that wrote it: \"opencl\" or \"llvm\".")
      .def_ro("options", &KernelSource::options, "Options for the compiler.")
      .def(
          "to_json", [](const KernelSource& kernel) { return to_json(kernel); },
          "Returns the arguments and work sizes as JSON.")
      .def("__repr__",
           [](const KernelSource& kernel) { return fmt::format("KernelSource({})", kernel.entry); });

  nb::class_<Program::Value>(module, "Value", "An input or output as its user sees it.")
      .def_ro("name", &Program::Value::name, "Name of the Input or Func, or of the value in the model.")
      .def_ro("type", &Program::Value::type, "Type of an element.")
      .def_prop_ro(
          "dtype", [](const Program::Value& value) { return dtype_of(value.type); },
          nb::sig("def dtype(self) -> numpy.dtype"), "The same type of NumPy: its dtype.")
      .def_prop_ro(
          "shape", [](const Program::Value& value) { return extents_of(value.shape); },
          nb::sig("def shape(self) -> tuple[int | str, ...]"),
          "Extents: numbers, or names of Params and expressions of them.")
      .def("__repr__", [](const Program::Value& value) { return fmt::format("Value({})", text_of(value)); });
}

void bind_program(nb::module_& module) {
  nb::class_<Program> cls(module, "Program", "A compiled pipeline or model, as data.");
  cls.def_ro("name", &Program::name, "Name of the first output, or of the model.")
      .def_ro("kernels", &Program::kernels, "The distinct kernels.")
      .def_ro("inputs", &Program::inputs, "The inputs in order.")
      .def_ro("outputs", &Program::outputs, "The outputs in order.")
      .def_ro("warnings", &Program::warnings, "Warnings for the user who compiled it.")
      .def_prop_ro(
          "params",
          [](const Program& program) {
            nb::dict result;
            for (const Program::Param& param : program.params) result[param.name.c_str()] = param.type;
            return result;
          },
          nb::sig("def params(self) -> dict[str, Type]"), "The Params that a run needs, with their types.")
      .def_prop_ro(
          "has_states", [](const Program& program) { return !program.states.empty(); },
          "True if a run keeps states for the next one.")
      .def_prop_ro(
          "launches", [](const Program& program) { return program.launches.size(); },
          "Number of kernels that a run launches.")
      .def_prop_ro("flops", &Program::flops, "Floating-point operations of all launches.")
      .def_prop_ro("intermediate_bytes", &Program::intermediate_bytes,
                   "Bytes of the allocations that intermediates share.")
      .def(
          "to_json", [](const Program& program) { return to_json(program); },
          "Returns JSON without the kernels' texts and the constants. docs/PROGRAM.md describes it.")
      .def(
          "write", [](const Program& program, nb::object folder) { write_program(program, path_of(folder)); },
          nb::arg("folder"), nb::sig("def write(self, folder: str | os.PathLike[str]) -> None"),
          "Writes program.json, the kernels' files and constants.bin.")
      .def_static(
          "read", [](nb::object place) { return read_program(path_of(place)); }, nb::arg("place"),
          nb::sig("def read(place: str | os.PathLike[str]) -> Program"), "Reads a folder that write() wrote.")
      .def("__repr__",
           [](const Program& program) {
             const std::size_t count = program.kernels.size();
             return fmt::format("Program({}, {} kernel{})", program.name, count, count == 1 ? "" : "s");
           })
      .def("__getstate__",
           [](const Program& program) {
             return bytes_of({std::make_shared<const Program>(program), "", "", "", {}});
           })
      .def("__setstate__", [](Program& program, const nb::bytes& state) {
        new (&program) Program(*package_of(state).program);
      });
  bind_page(cls);

  module.def(
      "params_of_shapes",
      [](const Program& program, const std::map<std::string, std::vector<std::int64_t>>& shapes,
         nb::handle params) {
        nb::dict result;
        for (const auto& [name, value] : params_of_shapes(program, shapes, params)) {
          if (value.is_integer()) result[name.c_str()] = value.integer();
        }
        return result;
      },
      nb::arg("program"), nb::arg("shapes"), nb::arg("params") = nb::dict(),
      nb::sig(
          "def params_of_shapes(program: Program, shapes: Mapping[str, Sequence[int]], params: Mapping[str, "
          "float] = {}) -> dict[str, int]"),
      "Returns the integer Params, with those that follow from the shapes of inputs: for [2*n] given as [6], "
      "n is 3.");
  module.def(
      "default_input", [](const Program::Value& input) { return array_from(default_input(input)); },
      nb::arg("input"), nb::sig("def default_input(input: Value) -> numpy.ndarray"),
      "Returns the default value of an input, a function of its name, type and shape.");
}

}  // namespace

std::string path_of(nb::handle path) {
  const auto bytes = nb::cast<nb::bytes>(nb::module_::import_("os").attr("fsencode")(path));
  return {bytes.c_str(), bytes.size()};
}

void bind_programs(nb::module_& module) {
  bind_parts(module);
  bind_program(module);

  nb::class_<Package>(module, "Package", "The unit of deployment: a Program with everything that it needs.")
      .def(
          "__init__",
          [](Package* self, const Program& program, const std::string& made_from,
             const std::string& compiled_for) {
            new (self) Package{std::make_shared<const Program>(program), made_from, compiled_for, "", {}};
          },
          nb::arg("program"), nb::arg("made_from") = "", nb::arg("compiled_for") = "",
          "Makes a package of a Program.")
      .def_static(
          "read", [](nb::object place) { return read_package(path_of(place)); }, nb::arg("place"),
          nb::sig("def read(place: str | os.PathLike[str]) -> Package"),
          "Reads a file or folder; constants are mapped, not copied.")
      .def(
          "write", [](const Package& package, nb::object place) { write_package(package, path_of(place)); },
          nb::arg("place"), nb::sig("def write(self, place: str | os.PathLike[str]) -> None"),
          "Writes one file if the name ends in \".tdsl\", else a folder.")
      .def_prop_ro(
          "program", [](const Package& package) { return *package.program; }, "The Program.")
      .def(
          "offer_to", [](const Package& package, Device& device) { device.offer(package.binaries); },
          nb::arg("device"),
          "Gives the device the package's binaries, so that it need not compile their kernels.")
      .def_ro("made_from", &Package::made_from, "The model's file, for people.")
      .def_ro("compiled_for", &Package::compiled_for, "The device, for people.")
      .def_ro("profile", &Package::profile, "The HwProfile that schedules were chosen by, as JSON.")
      .def("__repr__",
           [](const Package& self) {
             std::string text = fmt::format("Package({}", self.program->name);
             if (!self.made_from.empty()) text += ", of " + self.made_from;
             if (!self.compiled_for.empty()) text += ", for " + self.compiled_for;
             return text + ")";
           })
      .def("__getstate__", bytes_of)
      .def("__setstate__",
           [](Package& package, const nb::bytes& state) { new (&package) Package(package_of(state)); });
}

}  // namespace tensordsl::python

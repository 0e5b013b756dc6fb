#include <nanobind/operators.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"
#include "tensordsl/memory_scope.h"
#include "tensordsl/stage.h"

namespace tensordsl::python {

void bind_layouts(nb::module_& module) {
  nb::class_<Layout>(module, "Layout", "The order of a tensor's elements in memory, as in \"n c/4 h w c%4\".")
      .def_static(
          "parse",
          [](const std::string& notation, const std::vector<std::string>& dims) {
            return Layout::parse(notation, dims);
          },
          nb::arg("notation"), nb::arg("dims"), "Parses the notation; `dims` names the dimensions in order.")
      .def_static("row_major", &Layout::row_major, nb::arg("rank"), "Returns the row-major layout.")
      .def("is_row_major", &Layout::is_row_major, "True if it is row-major, with any groups.")
      .def_prop_ro("rank", &Layout::rank, "The number of logical dimensions.")
      .def("to_string", &Layout::to_string, nb::arg("dims"),
           "Returns the notation, with `dims` as names of the dimensions.")
      .def("position", &Layout::position, nb::arg("index"), nb::arg("extents"),
           "Returns the position in memory of a logical index, in elements.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .attr("__hash__") = nb::none();

  nb::enum_<ImageKind>(module, "ImageKind", "The image types of OpenCL that tensors are stored in.")
      .value("Image1DBuffer", ImageKind::Image1DBuffer, "Texels in a row.")
      .value("Image2D", ImageKind::Image2D, "Rows and columns.")
      .value("Image2DArray", ImageKind::Image2DArray, "Layers, rows and columns.")
      .export_values();

  nb::enum_<MemoryScope>(module, "MemoryScope",
                         "Memory in which a Func inside the loops of another is stored.")
      .value("Local", MemoryScope::Local, "Memory shared by the work-items of a group.")
      .value("SubGroup", MemoryScope::SubGroup, "The registers of a sub-group.")
      .value("Private", MemoryScope::Private, "Memory of each work-item.")
      .value("Constant", MemoryScope::Constant, "The constant address space, for an Input.")
      .export_values();

  nb::enum_<Tail>(module, "Tail",
                  "Treatment of the last iterations of a split whose factor does not divide the extent.")
      .value("RoundUp", Tail::RoundUp, "Run past the end; the Func's storage is padded.")
      .value("Guard", Tail::Guard, "Test each point.")
      .value("ShiftInwards", Tail::ShiftInwards, "Move the last block back, computing some points twice.")
      .value("Exact", Tail::Exact, "The factor divides the extent, or ScheduleError.");
}

}  // namespace tensordsl::python

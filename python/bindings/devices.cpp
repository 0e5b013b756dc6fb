#include <fmt/format.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/notebook.h"
#include "python/bindings/python_lock.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/target.h"

namespace tensordsl::python {
namespace {

void bind_info(nb::module_& module) {
  nb::class_<DeviceInfo>(module, "DeviceInfo", "What a device says of itself.")
      .def_ro("name", &DeviceInfo::name, "As OpenCL gives it; of the host \"host-CPU\".")
      .def_ro("vendor", &DeviceInfo::vendor, "As OpenCL gives it.")
      .def_ro("version", &DeviceInfo::version, "As OpenCL gives it.")
      .def_ro("driver", &DeviceInfo::driver, "As OpenCL gives it.")
      .def_ro("platform", &DeviceInfo::platform, "As OpenCL gives it.")
      .def_ro("backend", &DeviceInfo::backend, "Whose kernels it runs: \"opencl\" or \"llvm\".")
      .def_ro("platform_number", &DeviceInfo::platform_number, "Device.open(\"P:D\") opens it: this is P.")
      .def_ro("device_number", &DeviceInfo::device_number, "And this is D.")
      .def_ro("is_cpu", &DeviceInfo::is_cpu, "Whether it is a CPU.")
      .def_ro("is_gpu", &DeviceInfo::is_gpu, "Whether it is a GPU.")
      .def_ro("compute_units", &DeviceInfo::compute_units, "That run work-groups side by side.")
      .def_ro("max_group_size", &DeviceInfo::max_group_size, "Work-items of a group.")
      .def_ro("local_memory_bytes", &DeviceInfo::local_memory_bytes, "For a work-group.")
      .def_ro("global_memory_bytes", &DeviceInfo::global_memory_bytes, "That all buffers and images share.")
      .def_ro("max_allocation_bytes", &DeviceInfo::max_allocation_bytes, "Of one buffer.")
      .def_ro("has_unified_memory", &DeviceInfo::has_unified_memory, "The host's memory is its own.")
      .def_ro("has_fp16", &DeviceInfo::has_fp16, "Whether it computes in f16.")
      .def_ro("has_fp64", &DeviceInfo::has_fp64, "Whether it computes in f64.")
      .def_ro("has_sub_groups", &DeviceInfo::has_sub_groups, "Whether it has sub-groups.")
      .def_ro("has_images", &DeviceInfo::has_images, "Whether it has images.")
      .def_ro("has_matrix_units", &DeviceInfo::has_matrix_units, "For Stage.matrix_multiply.")
      .def_ro("extensions", &DeviceInfo::extensions, "Of OpenCL, by their names.")
      .def("__repr__", [](const DeviceInfo& info) { return fmt::format("DeviceInfo({})", info.name); });
}

void bind_figures(nb::module_& module) {
  nb::class_<HwProfile> cls(module, "HwProfile", "What a device is made of, as measured.");
  cls.def_static("load", &load_hw_profile, nb::arg("name"),
                 "One that comes with the library (\"adreno640\"), or a file that `tensordsl profile` wrote.")
      .def_static("from_json", &hw_profile_from_json, nb::arg("text"), "Reads what to_json() wrote.")
      .def(
          "to_json", [](const HwProfile& profile) { return to_json(profile); }, "The figures as JSON.")
      .def_ro("device", &HwProfile::device, "The name that OpenCL gives it.")
      .def("__repr__", [](const HwProfile& self) { return fmt::format("HwProfile({})", self.device); })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .attr("__hash__") = nb::none();
  bind_page(cls);

  nb::class_<Target>(module, "Target", "Figures of a device, for whoever chooses tile sizes.")
      .def(nb::init<>(), "Of a device of which nothing is known.")
      .def_static("of", &Target::of, nb::arg("device"), "What follows from what a device says of itself.")
      .def_static("host", &Target::host, "The same of this machine's processor.")
      .def_ro("vector_width", &Target::vector_width, "Floats of one vector operation.")
      .def_ro("accumulators", &Target::accumulators, "Vectors that a work-item keeps in registers.")
      .def_ro("group_items", &Target::group_items,
              "Work-items of a group; 1 where it runs on a thread of a CPU.")
      .def_ro("most_group_items", &Target::most_group_items, "That share tiles in local memory.")
      .def_ro("compute_units", &Target::compute_units, "That run work-groups side by side.")
      .def_ro("parallel_items", &Target::parallel_items, "Work-items that run at the same time.")
      .def_ro("has_local_memory", &Target::has_local_memory, "To share a tile in it pays.")
      .def_ro("prefers_images", &Target::prefers_images, "Images are read faster than buffers.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .attr("__hash__") = nb::none();
}

}  // namespace

void bind_devices(nb::module_& module) {
  bind_info(module);
  bind_figures(module);
  nb::class_<Device>(module, "Device",
                     "A device with memory, which runs what is started on it in that order.")
      .def_static(
          "open",
          [](const std::string& spec) {
            const Unlocked unlocked;
            return Device::open(spec);
          },
          nb::arg("spec") = "",
          "The default device, or the one that `spec` names: \"gpu\", \"cpu\", \"host\", \"0:1\", or a part "
          "of a name. Empty: the environment's TENSORDSL_DEVICE, else the first GPU, else the first device.")
      .def_static("list", &Device::list, "What there is to run on.")
      .def_prop_ro("info", &Device::info, nb::rv_policy::copy, "What it says of itself.")
      .def("__repr__", [](const Device& device) { return fmt::format("Device({})", device.info().name); });
}

}  // namespace tensordsl::python

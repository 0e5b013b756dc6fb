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
  nb::class_<DeviceInfo>(module, "DeviceInfo", "Properties that a device reports.")
      .def_ro("name", &DeviceInfo::name, "CL_DEVICE_NAME; \"host-CPU\" for the host.")
      .def_ro("vendor", &DeviceInfo::vendor, "CL_DEVICE_VENDOR.")
      .def_ro("version", &DeviceInfo::version, "CL_DEVICE_VERSION.")
      .def_ro("driver", &DeviceInfo::driver, "CL_DRIVER_VERSION.")
      .def_ro("platform", &DeviceInfo::platform, "CL_PLATFORM_NAME.")
      .def_ro("backend", &DeviceInfo::backend, "Backend whose kernels it runs: \"opencl\" or \"llvm\".")
      .def_ro("platform_number", &DeviceInfo::platform_number, "P of the spec \"P:D\" of Device.open().")
      .def_ro("device_number", &DeviceInfo::device_number, "D of the spec \"P:D\" of Device.open().")
      .def_ro("is_cpu", &DeviceInfo::is_cpu, "True for a CPU.")
      .def_ro("is_gpu", &DeviceInfo::is_gpu, "True for a GPU.")
      .def_ro("compute_units", &DeviceInfo::compute_units, "Units that run work-groups in parallel.")
      .def_ro("max_group_size", &DeviceInfo::max_group_size, "Most work-items of a group.")
      .def_ro("local_memory_bytes", &DeviceInfo::local_memory_bytes, "Local memory of a work-group.")
      .def_ro("global_memory_bytes", &DeviceInfo::global_memory_bytes,
              "Memory that all buffers and images share.")
      .def_ro("max_allocation_bytes", &DeviceInfo::max_allocation_bytes, "Largest size of one buffer.")
      .def_ro("has_unified_memory", &DeviceInfo::has_unified_memory,
              "True if host and device share one memory.")
      .def_ro("has_fp16", &DeviceInfo::has_fp16, "True if it computes in f16.")
      .def_ro("has_fp64", &DeviceInfo::has_fp64, "True if it computes in f64.")
      .def_ro("has_sub_groups", &DeviceInfo::has_sub_groups, "True if it has sub-groups.")
      .def_ro("has_images", &DeviceInfo::has_images, "True if it has images.")
      .def_ro("has_matrix_units", &DeviceInfo::has_matrix_units, "True if Stage.matrix_multiply can be used.")
      .def_ro("extensions", &DeviceInfo::extensions, "Names of its OpenCL extensions.")
      .def("__repr__", [](const DeviceInfo& info) { return fmt::format("DeviceInfo({})", info.name); });
}

void bind_figures(nb::module_& module) {
  nb::class_<HwProfile> cls(module, "HwProfile", "Measured properties of a device.");
  cls.def_static("load", &load_hw_profile, nb::arg("name"),
                 "Loads a bundled profile (\"adreno640\"), or a file written by `tensordsl profile`.")
      .def_static("from_json", &hw_profile_from_json, nb::arg("text"), "Reads what to_json() wrote.")
      .def(
          "to_json", [](const HwProfile& profile) { return to_json(profile); },
          "Returns the figures as JSON.")
      .def_ro("device", &HwProfile::device, "CL_DEVICE_NAME.")
      .def("__repr__", [](const HwProfile& self) { return fmt::format("HwProfile({})", self.device); })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .attr("__hash__") = nb::none();
  bind_page(cls);

  nb::class_<Target>(module, "Target", "Figures of a device for the choice of tile sizes.")
      .def(nb::init<>(), "Makes the figures of an unknown device.")
      .def_static("of", &Target::of, nb::arg("device"),
                  "Returns the figures that follow from the properties that a device reports.")
      .def_static("host", &Target::host, "Returns the figures of this machine's processor.")
      .def_ro("vector_width", &Target::vector_width, "Floats of one vector operation.")
      .def_ro("accumulators", &Target::accumulators,
              "Vector accumulators that a work-item keeps in registers.")
      .def_ro("group_items", &Target::group_items,
              "Work-items of a group; 1 where it runs on a thread of a CPU.")
      .def_ro("most_group_items", &Target::most_group_items,
              "Most work-items of a group that shares tiles in local memory.")
      .def_ro("compute_units", &Target::compute_units, "Units that run work-groups in parallel.")
      .def_ro("parallel_items", &Target::parallel_items, "Work-items that run at the same time.")
      .def_ro("has_local_memory", &Target::has_local_memory, "True if sharing tiles in local memory pays.")
      .def_ro("prefers_images", &Target::prefers_images, "True if images are read faster than buffers.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .attr("__hash__") = nb::none();
}

}  // namespace

void bind_devices(nb::module_& module) {
  bind_info(module);
  bind_figures(module);
  nb::class_<Device>(module, "Device",
                     "A device with its memory. It runs the work that is started on it in order.")
      .def_static(
          "open",
          [](const std::string& spec) {
            const Unlocked unlocked;
            return Device::open(spec);
          },
          nb::arg("spec") = "",
          "The default device, or the one that `spec` names: \"gpu\", \"cpu\", \"host\", \"0:1\", or a part "
          "of a name. Empty: the environment's TENSORDSL_DEVICE, else the first GPU, else the first device.")
      .def_static("list", &Device::list, "Returns all devices.")
      .def_prop_ro("info", &Device::info, nb::rv_policy::copy, "Properties that the device reports.")
      .def("__repr__", [](const Device& device) { return fmt::format("Device({})", device.info().name); });
}

}  // namespace tensordsl::python

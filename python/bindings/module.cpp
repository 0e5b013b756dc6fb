#include "python/bindings/bindings.h"
#include "python/bindings/python_lock.h"
#include "tensordsl/version.h"

NB_MODULE(_tensordsl, module) {
  namespace nb = nanobind;
  using namespace tensordsl::python;
  module.doc() = "The classes and functions of tensordsl's headers.";
  // Objects that PyTorch's caches hold until the end are not leaks of the program.
  nb::set_leak_warnings(false);
  module.attr("version") = tensordsl::version();
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(begin_ending));
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                          nb::cpp_function(forget_other_threads));
  bind_errors(module);
  bind_types(module);
  bind_layouts(module);
  bind_expressions(module);
  bind_math(module);
  bind_stages(module);
  bind_functions(module);
  bind_devices(module);
  bind_programs(module);
  bind_runners(module);
  bind_pipelines(module);
  bind_models(module);
}

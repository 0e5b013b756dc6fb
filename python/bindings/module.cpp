#include "python/bindings/bindings.h"
#include "tensordsl/version.h"

NB_MODULE(_tensordsl, module) {
  namespace nb = nanobind;
  using namespace tensordsl::python;
  module.doc() = "The classes and functions of tensordsl's headers.";
  // What caches of PyTorch hold until the end is no fault of a program.
  nb::set_leak_warnings(false);
  module.attr("version") = tensordsl::version();
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

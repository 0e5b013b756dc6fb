#include "python/bindings/bindings.h"
#include "tensordsl/version.h"

NB_MODULE(_tensordsl, module) {
  using namespace tensordsl::python;
  module.doc() = "The classes and functions of tensordsl's headers.";
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

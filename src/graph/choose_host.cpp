#include "graph/choose_host.h"

#include <fmt/format.h>

#include "lower/check_double.h"
#include "schedule/schedule.h"

namespace tensordsl {

std::vector<std::string> choose_host(const DefinitionGraph& graph, const LoweringOptions& options) {
  std::vector<std::string> reasons(graph.tensors.size());
  const bool lacks_double = options.device && !options.device->has_fp64;
  if (!lacks_double && options.on_host.empty()) return reasons;
  const TensorFuncs funcs(graph);
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (graph.tensors[i].func.is_input()) continue;
    std::vector<ir::FunctionPtr> functions;
    for (const Func& func : funcs.funcs_of(i)) functions.push_back(func.shared());
    if (options.on_host.contains(graph.tensors[i].origin.kind)) {
      reasons[i] = "it was asked for";
    } else if (lacks_double && lower::has_double(functions)) {
      reasons[i] = fmt::format(
          "f64, which the device {} does not have (cl_khr_fp64); with ModelOptions::allow_narrowing, "
          "--allow-narrowing, kernels compute it in f32",
          options.device->name);
    }
  }
  return reasons;
}

}  // namespace tensordsl

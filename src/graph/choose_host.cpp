#include "graph/choose_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "lower/check_double.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

void check_names(const DefinitionGraph& graph, const std::set<std::string>& on_host) {
  std::set<std::string> kinds;
  for (const DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) kinds.insert(tensor.origin.kind);
  }
  for (const std::string& kind : on_host) {
    if (kinds.contains(kind)) continue;
    throw Error(fmt::format("on_host: the model computes no {} when it runs; it computes {}", kind,
                            kinds.empty() ? "nothing" : fmt::format("{}", fmt::join(kinds, ", "))));
  }
}

}  // namespace

std::vector<std::string> choose_host(const DefinitionGraph& graph, const LoweringOptions& options) {
  std::vector<std::string> reasons(graph.tensors.size());
  const bool lacks_double = options.device && !options.device->has_fp64;
  if (!lacks_double && options.on_host.empty()) return reasons;
  check_names(graph, options.on_host);
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

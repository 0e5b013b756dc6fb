#include "graph/fuse/choose_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "lower/place/check_double.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

void check_names(const definitions::DefinitionGraph& graph, const std::set<std::string>& on_host) {
  std::set<std::string> kinds;
  for (const definitions::DefinedTensor& tensor : graph.tensors) {
    if (!tensor.func.is_input()) kinds.insert(tensor.origin.kind);
  }
  for (const std::string& kind : on_host) {
    if (kinds.contains(kind)) continue;
    throw Error(fmt::format("on_host: the model has no {} that is computed at run time; it computes {}", kind,
                            kinds.empty() ? "nothing" : fmt::format("{}", fmt::join(kinds, ", "))));
  }
}

}  // namespace

void choose_host(Graph& graph, const GraphContext& context) {
  const definitions::DefinitionGraph& definitions = graph.definitions;
  const CompileOptions& options = context.options;
  std::vector<std::string>& reasons = graph.on_host;
  reasons.assign(definitions.tensors.size(), {});
  const bool lacks_double = options.device && !options.device->has_fp64;
  if (!lacks_double && options.on_host.empty()) return;
  check_names(definitions, options.on_host);
  const definitions::TensorFuncs funcs(definitions);
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (definitions.tensors[i].func.is_input()) continue;
    std::vector<ir::FunctionPtr> functions;
    for (const Func& func : funcs.funcs_of(i)) functions.push_back(func.shared());
    if (options.on_host.contains(definitions.tensors[i].origin.kind)) {
      reasons[i] = "requested by on_host";
    } else if (lacks_double && lower::has_double(functions)) {
      reasons[i] = fmt::format(
          "the device {} does not support f64 (cl_khr_fp64); with ModelOptions::allow_narrowing, "
          "--allow-narrowing, kernels compute it in f32",
          options.device->name);
    }
  }
}

}  // namespace tensordsl::graph

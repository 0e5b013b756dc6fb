#include "lower/pass_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

std::string kernel_name(const RootNest& nest, const std::vector<FunctionPtr>& functions) {
  const auto [definition, specialization] = nest.stage;
  if (definition == 0 && specialization < 0) return nest.function;
  std::string name =
      definition == 0 ? nest.function : fmt::format("{}_update{}", nest.function, definition - 1);
  if (specialization >= 0) name += fmt::format("_specialized{}", specialization);
  while (std::ranges::any_of(functions, [&](const FunctionPtr& f) { return f->name == name; })) name += "_";
  return name;
}

const schedule::FuncSchedule& directives_of(const std::string& function,
                                            const std::vector<FunctionPtr>& functions) {
  for (const FunctionPtr& f : functions) {
    if (f->name == function) return schedule::scheduled(*f).schedule;
  }
  throw InternalError(fmt::format("lower: no Func {}", function));
}

}  // namespace

PassContext context_of(const RootNest& nest, const PipelineState& pipeline, const LowerOptions& options) {
  return {pipeline,
          pipeline.tensors,
          nest,
          kernel_name(nest, pipeline.functions),
          directives_of(nest.function, pipeline.functions),
          assumptions_of(nest.condition),
          options};
}

Bounds bounds_of_indices(const KernelBody& kernel, const PassContext& context) {
  Bounds bounds = context.assumptions.bounds;
  for (std::size_t d = 0; d < 3; ++d) {
    const std::int64_t* groups = as_int(kernel.groups[d]);
    bounds[kBlockNames[d]] = {0, groups ? *groups - 1 : INT32_MAX};
    bounds[kThreadNames[d]] = {0, kernel.group_size[d] - 1};
  }
  return bounds;
}

}  // namespace tensordsl::lower

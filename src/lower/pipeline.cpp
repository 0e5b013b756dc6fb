#include "lower/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <type_traits>

#include "ir/simplify.h"
#include "ir/substitute.h"
#include "ir/verify.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/analyze/parameters.h"
#include "lower/pass_context.h"
#include "lower/passes/arithmetic/drop_promises.h"
#include "lower/passes/arithmetic/eliminate_common_subexpressions.h"
#include "lower/passes/arithmetic/expand_erf.h"
#include "lower/passes/arithmetic/expand_extrema.h"
#include "lower/passes/arithmetic/inline_lets.h"
#include "lower/passes/arithmetic/narrow_arithmetic.h"
#include "lower/passes/arithmetic/reduce_strength.h"
#include "lower/passes/kernel/check_private_memory.h"
#include "lower/passes/kernel/count_resources.h"
#include "lower/passes/kernel/infer_constant_inputs.h"
#include "lower/passes/kernel/outline_kernel.h"
#include "lower/passes/loops/partition_loops.h"
#include "lower/passes/loops/software_pipeline_loops.h"
#include "lower/passes/loops/trim_loops.h"
#include "lower/passes/loops/unroll_loops.h"
#include "lower/passes/loops/unswitch_loops.h"
#include "lower/passes/memory/align_accesses.h"
#include "lower/passes/memory/coalesce_loads.h"
#include "lower/passes/memory/drop_idle_stores.h"
#include "lower/passes/memory/eliminate_boundary_tests.h"
#include "lower/passes/memory/flatten_storage.h"
#include "lower/passes/memory/hoist_addresses.h"
#include "lower/passes/memory/legalize_image_accesses.h"
#include "lower/passes/memory/promote_to_scalars.h"
#include "lower/passes/memory/scalarize_register_tiles.h"
#include "lower/passes/memory/split_tuples.h"
#include "lower/passes/vectors/expand_broadcasts.h"
#include "lower/passes/vectors/legalize_vectors.h"
#include "lower/passes/vectors/use_dot_products.h"
#include "lower/passes/vectors/use_matrix_units.h"
#include "lower/passes/vectors/vectorize_loops.h"
#include "lower/passes/work_items/check_barriers.h"
#include "lower/passes/work_items/infer_sub_group_size.h"
#include "lower/passes/work_items/lower_sub_group_storage.h"
#include "lower/passes/work_items/map_work_items.h"
#include "lower/passes/work_items/restrict_launch.h"
#include "lower/place/check_directives.h"
#include "lower/place/check_double.h"
#include "lower/place/inline_functions.h"
#include "lower/place/number_unnamed.h"
#include "lower/place/place_functions.h"
#include "lower/place/plan_storage.h"
#include "lower/read/check_input_reads.h"
#include "lower/read/guard_input_reads.h"
#include "lower/read/guard_unneeded_reads.h"
#include "lower/read/infer_launch_requirements.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

struct Pass {
  std::string_view name;
  KernelBody (*run)(const KernelBody&, const PassContext&);
  bool is_optional = false;  // only makes kernels faster: disable_pass() leaves it out
};

/// `function` as a pass, whatever it asks of the kernel and of what is around it. What returns nothing is a
/// check.
template <auto function>
KernelBody run_pass(const KernelBody& kernel, const PassContext& context) {
  using F = decltype(function);
  KernelBody result = kernel;
  if constexpr (std::is_invocable_v<F, const KernelBody&, const PassContext&>) {
    result = function(kernel, context);
  } else if constexpr (std::is_invocable_r_v<KernelBody, F, const KernelBody&,
                                             const std::set<std::string>&>) {
    result = function(kernel, context.double_buffered);
  } else if constexpr (std::is_invocable_r_v<KernelBody, F, const KernelBody&, const RootNest&>) {
    result = function(kernel, context.nest);
  } else if constexpr (std::is_invocable_r_v<Stmt, F, const Stmt&, const StoredTensors&, const Bounds&>) {
    result.body = function(kernel.body, context.tensors.stored, bounds_of_indices(kernel, context));
  } else if constexpr (std::is_invocable_r_v<Stmt, F, const Stmt&, const Images&>) {
    result.body = function(kernel.body, context.tensors.images);
  } else if constexpr (std::is_invocable_r_v<Stmt, F, const Stmt&, const Bounds&>) {
    result.body = function(kernel.body, bounds_of_indices(kernel, context));
  } else if constexpr (std::is_invocable_r_v<Stmt, F, const Stmt&>) {
    result.body = function(kernel.body);
  } else {
    function(kernel.body, context.nest.function);
  }
  return result;
}

/// Tuples, and tensors without dimensions.
KernelBody split_if_any(const KernelBody& kernel, const PassContext& context) {
  const bool has_any = std::ranges::any_of(context.tensors.stored, [](const auto& tensor) {
    return tensor.first.find('.') != std::string::npos || tensor.second.layout.rank() == 0;
  });
  return has_any ? run_pass<split_tuples>(kernel, context) : kernel;
}

Stmt simplify_body(const Stmt& body, const Bounds& bounds) { return simplify(body, bounds); }

/// What no pass has changed since then is not simplified again.
KernelBody simplify_changed(const KernelBody& kernel, const PassContext& context) {
  if (kernel.body.get() == kernel.simplified.get()) return kernel;
  KernelBody result = run_pass<simplify_body>(kernel, context);
  result.simplified = result.body;
  return result;
}

/// What is known where the kernel runs, say n == 1024, takes the place of its names.
KernelBody substitute_assumptions(const KernelBody& kernel, const PassContext& context) {
  KernelBody result = kernel;
  result.body = substitute(kernel.body, context.assumptions.values);
  return result;
}

/// Only what stays of a test after simplification keeps work-items away from a barrier.
KernelBody simplify_convergent(const KernelBody& kernel, const PassContext& context) {
  return has_convergent_operation(kernel.body) ? run_pass<simplify_body>(kernel, context) : kernel;
}

KernelBody map_where_it_runs(const KernelBody& kernel, const PassContext& context) {
  return map_work_items(kernel, context.nest.function, context.assumptions.bounds);
}

KernelBody narrow_as_asked(const KernelBody& kernel, const PassContext& context) {
  KernelBody result = kernel;
  result.body = narrow_arithmetic(kernel.body, context.directives.half_arithmetic);
  return result;
}

KernelBody vectorize_as_backend(const KernelBody& kernel, const PassContext& context) {
  KernelBody result = kernel;
  result.body = vectorize_loops(kernel.body, context.options.code.vector_widths);
  return result;
}

/// Divisions that floor by themselves stay.
KernelBody reduce_strength_as_backend(const KernelBody& kernel, const PassContext& context) {
  const bool floors = context.options.code.division == IntegerDivision::Flooring;
  return floors ? kernel : run_pass<reduce_strength>(kernel, context);
}

KernelBody expand_unless_asked(const KernelBody& kernel, const PassContext& context) {
  return context.directives.autobroadcast ? kernel : run_pass<expand_broadcasts>(kernel, context);
}

/// From the loops of one kernel to what one work-item does, in order. lower() has what comes before and
/// after.
constexpr Pass kPasses[] = {
    {"split_tuples", split_if_any},
    {"drop_promises", run_pass<drop_promises>},
    {"inline_lets", run_pass<inline_lets>},
    {"substitute_assumptions", substitute_assumptions},
    {"simplify_loops", run_pass<simplify_body>},
    {"software_pipeline_loops", run_pass<software_pipeline_loops>},
    {"map_work_items", map_where_it_runs},
    {"lower_sub_group_storage", run_pass<lower_sub_group_storage>},
    {"simplify_convergent", simplify_convergent},
    {"check_barriers", run_pass<check_barriers>},
    {"infer_sub_group_size", run_pass<infer_sub_group_size>},
    {"narrow_arithmetic", narrow_as_asked},
    {"eliminate_boundary_tests", run_pass<eliminate_boundary_tests>, true},
    {"flatten_storage", run_pass<flatten_storage>},
    {"simplify", simplify_changed},
    {"vectorize_loops", vectorize_as_backend},
    {"unroll_loops", run_pass<unroll_loops>},
    {"simplify_unrolled", simplify_changed},
    {"use_matrix_units", run_pass<use_matrix_units>},
    {"use_dot_products", run_pass<use_dot_products>, true},
    {"unswitch_loops", run_pass<unswitch_loops>, true},
    {"trim_loops", run_pass<trim_loops>, true},
    {"promote_to_scalars", run_pass<promote_to_scalars>, true},
    {"partition_loops", run_pass<partition_loops>, true},
    {"drop_idle_stores", run_pass<drop_idle_stores>, true},
    {"scalarize_register_tiles", run_pass<scalarize_register_tiles>},
    {"legalize_image_accesses", run_pass<legalize_image_accesses>},
    {"legalize_vectors", run_pass<legalize_vectors>},
    {"simplify_vectors", simplify_changed},
    {"coalesce_loads", run_pass<coalesce_loads>, true},
    {"align_accesses", run_pass<align_accesses>, true},
    {"expand_broadcasts", expand_unless_asked},
    {"hoist_addresses", run_pass<hoist_addresses>, true},
    {"reduce_strength", reduce_strength_as_backend, true},
    {"expand_erf", run_pass<expand_erf>},
    {"expand_extrema", run_pass<expand_extrema>},
    {"eliminate_common_subexpressions", run_pass<eliminate_common_subexpressions>},
    {"restrict_launch", run_pass<restrict_launch>},
};

/// The pipeline that is lowered: what all its kernels have in common.
struct Lowering {
  std::vector<FunctionPtr> functions;
  std::set<std::string> parameters;
  std::set<std::string> inputs;
  std::set<std::string> double_buffered;
  std::set<std::string> exchanged;  // of which an update reads elements that other points of it write
  Tensors tensors;
  const LowerOptions& options;
};

const schedule::FuncSchedule& directives_of(const std::string& function, const Lowering& all) {
  for (const FunctionPtr& f : all.functions) {
    if (f->name == function) return schedule::scheduled(*f).schedule;
  }
  throw InternalError(fmt::format("lower: no Func {}", function));
}

/// "f", "f_update0"; unless a Func is called so, which is then the one to have the name.
std::string kernel_name(const RootNest& nest, const Lowering& all) {
  const auto [definition, specialization] = nest.stage;
  if (definition == 0 && specialization < 0) return nest.function;
  std::string name =
      definition == 0 ? nest.function : fmt::format("{}_update{}", nest.function, definition - 1);
  if (specialization >= 0) name += fmt::format("_specialized{}", specialization);
  const auto is_taken = [&](const FunctionPtr& f) { return f->name == name; };
  while (std::any_of(all.functions.begin(), all.functions.end(), is_taken)) name += "_";
  return name;
}

/// Inputs but those that lie in a larger tensor: a kernel may write other parts of that, and what is in the
/// constant address space must not change.
std::set<std::string> whole_inputs(const Lowering& all) {
  std::set<std::string> whole;
  for (const std::string& input : all.inputs) {
    const auto& terms = all.tensors.stored.at(input).layout.terms();
    const bool is_part = std::ranges::any_of(
        terms, [](const Layout::Term& t) { return t.lead > 0 || t.gap > 0 || !t.lead_param.empty(); });
    if (!is_part) whole.insert(input);
  }
  return whole;
}

/// Shows the IR after a pass to who asked for it, and checks it.
void note(std::string_view pass, const std::string& kernel, const Stmt& stmt, const Lowering& all,
          bool is_convergent) {
  if (!stmt.defined()) return;
  if (all.options.observer) all.options.observer(std::string(pass), kernel, stmt);
  if (!all.options.verify) return;
  std::set<std::string> buffers, images, scalars = all.parameters;
  for (const auto& [name, elements] : all.tensors.elements) buffers.insert(name);
  for (const auto& [name, shape] : all.tensors.images) images.insert(name);
  scalars.insert(std::begin(kBlockNames), std::end(kBlockNames));
  scalars.insert(std::begin(kThreadNames), std::end(kThreadNames));
  try {
    verify(stmt, buffers, scalars, images, is_convergent);
  } catch (const InternalError& e) {
    throw InternalError(fmt::format("after {} of kernel {}: {}", pass, kernel, e.what()));
  }
}

LoweredKernel lower_nest(const RootNest& nest, const Lowering& all) {
  const std::string name = kernel_name(nest, all);
  const schedule::FuncSchedule& directives = directives_of(nest.function, all);
  const LaunchAssumptions assumptions = assumptions_of(nest.condition);
  const PassContext context{nest, directives, assumptions, all.tensors, all.double_buffered, all.options};
  KernelBody kernel{nest.body};
  kernel.exchanged = all.exchanged;
  bool is_convergent = false;  // check_barriers has been there
  note("loop_nest", name, kernel.body, all, is_convergent);
  for (const Pass& pass : kPasses) {
    if (!kernel.body.defined()) break;
    if (pass.is_optional && all.options.without.contains(std::string(pass.name))) continue;
    kernel = pass.run(kernel, context);
    is_convergent = is_convergent || pass.run == run_pass<check_barriers>;
    note(pass.name, name, kernel.body, all, is_convergent);
  }
  if (!kernel.body.defined()) kernel.groups = {Expr(0), Expr(1), Expr(1)};
  LoweredKernel lowered = infer_constant_inputs(outline_kernel(name, kernel, all.tensors), whole_inputs(all),
                                                all.options.constant_bytes);
  lowered.is_specialized = nest.is_specialization();
  lowered.autobroadcast = directives.autobroadcast;
  lowered.half_arithmetic = directives.half_arithmetic;
  lowered.resources = count_resources(lowered);
  check_private_memory(lowered, all.options.private_memory);
  return lowered;
}

/// What the kernels read and write besides the outputs.
void list_tensors(LoweredPipeline& result, const Lowering& all) {
  std::set<std::string> seen(result.outputs.begin(), result.outputs.end());
  for (const LoweredKernel& kernel : result.kernels) {
    for (const BufferArgument& b : kernel.buffers) {
      if (!seen.insert(b.name).second) continue;
      if (all.inputs.contains(b.name)) {
        result.inputs.push_back(b.name);
      } else {
        result.intermediates.push_back({b.name, all.tensors.stored.at(b.name), b.elements});
      }
    }
  }
}

void check_options(const LowerOptions& options) {
  const std::vector<std::string> known = optional_passes();
  for (const std::string& pass : options.without) {
    if (std::find(known.begin(), known.end(), pass) != known.end()) continue;
    throw ScheduleError(
        fmt::format("no pass \"{}\" can be left out; of {} each can", pass, fmt::join(known, ", ")));
  }
}

}  // namespace

namespace {

/// Where one of the Funcs that the nest computes is needed; undefined: always.
Expr needed_where(const RootNest& nest, const std::map<std::string, Expr>& needed) {
  std::set<std::string> functions = nest.companions;
  functions.insert(nest.function);
  Expr any;
  for (const std::string& function : functions) {
    const auto it = needed.find(function);
    if (it == needed.end()) return {};
    any = any.defined() ? simplify(any || it->second) : it->second;
  }
  return any;
}

void check_outputs(const std::vector<FunctionPtr>& outputs) {
  if (outputs.empty()) throw DefinitionError("Pipeline: it has no output; give it one or more Funcs");
  for (const FunctionPtr& output : outputs) {
    if (output->is_input() || !output->is_defined())
      throw DefinitionError(fmt::format("{}: the output of a pipeline must be a defined Func", output->name));
    if (std::ranges::count(outputs, output) > 1)
      throw DefinitionError(fmt::format("Pipeline: {} is an output twice; name it once", output->name));
  }
}

}  // namespace

std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const Pass& pass : kPasses) {
    if (pass.is_optional) names.emplace_back(pass.name);
  }
  return names;
}

LoweredPipeline lower(const FunctionPtr& output, const LowerOptions& options) {
  return lower(std::vector<FunctionPtr>{output}, options);
}

LoweredPipeline lower(const std::vector<FunctionPtr>& written, const LowerOptions& options) {
  check_outputs(written);
  check_options(options);
  const std::vector<FunctionPtr> outputs = number_unnamed(written);

  Lowering all{reachable(outputs), {}, {}, {}, {}, {}, options};
  all.parameters = parameters_of(all.functions);
  for (const FunctionPtr& f : all.functions) {
    if (f->is_input()) all.inputs.insert(f->name);
    const bool has_steps = std::ranges::any_of(f->definitions, [&](const Definition& definition) {
      return !schedule::traits_of(*f, definition).step_axis.empty();
    });
    if (has_steps) std::ranges::copy(f->buffers(), std::inserter(all.exchanged, all.exchanged.end()));
    if (!schedule::scheduled(*f).schedule.double_buffer) continue;
    for (const std::string& buffer : f->buffers()) all.double_buffered.insert(buffer);
  }

  const std::vector<Producer> producers = inline_functions(all.functions, outputs);
  PlacedFunctions placed = place_functions(producers);
  check_directives(all.functions, producers, placed);
  check_half_arithmetic(producers, options);
  check_double(all.functions, options.has_fp64);
  all.tensors = plan_storage(all.functions, producers, placed, all.parameters, options);
  if (check_input_reads(placed, producers, all.functions))
    placed = guard_input_reads(std::move(placed), all.functions);
  check_run_over(placed, producers, all.functions);
  const LaunchRequirements requirements = infer_launch_requirements(placed, producers, all.functions);
  placed = guard_unneeded_reads(placed, producers, all.functions, requirements);
  for (RootNest& nest : placed.nests) nest.needed = needed_where(nest, requirements.needed);

  LoweredPipeline result;
  result.requirements = requirements.reads;
  result.factors = requirements.factors;
  std::set<std::string> output_names;
  for (const FunctionPtr& output : outputs) {
    output_names.insert(output->name);
    std::ranges::copy(output->buffers(), std::back_inserter(result.outputs));
  }
  for (const RootNest& nest : placed.nests) {
    LoweredKernel kernel = lower_nest(nest, all);
    // An update may write only where nobody reads; an output has a kernel even if it has no elements.
    const bool is_output = output_names.contains(nest.function) && nest.stage == schedule::StageId{};
    if (kernel.body.defined() || is_output) result.kernels.push_back(std::move(kernel));
  }
  list_tensors(result, all);
  return result;
}

}  // namespace tensordsl::lower

#include "lower/lower.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/convergent_operations.h"
#include "lower/observe_step.h"
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
#include "lower/passes/kernel/live_registers.h"
#include "lower/passes/kernel/outline_kernel.h"
#include "lower/passes/loops/keep_loops.h"
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
#include "lower/passes/memory/mark_inside_reads.h"
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

/// Properties of a step; an optional one gives no stage.
struct StepTraits {
  std::optional<Stage> gives = std::nullopt;
  bool is_optional = false;
};

constexpr StepTraits gives(Stage stage) { return {.gives = stage}; }
constexpr StepTraits kOptional{.is_optional = true};

template <typename State>
constexpr StepScope kScope = StepScope::Pipeline;
template <>
constexpr StepScope kScope<KernelBody> = StepScope::Nest;
template <>
constexpr StepScope kScope<LoweredKernel> = StepScope::Kernel;

/// A row of the lists below. Each list has one signature, of which a pass may take a part.
template <typename State, typename Context>
struct LoweringStep {
  std::string_view name;
  std::string_view summary;
  void (*run)(State&, const Context&);
  StepTraits traits = {};

  StepInfo info() const { return {name, summary, kScope<State>, traits.gives, traits.is_optional}; }
};

/// Steps from definitions to the loops of each kernel.
constexpr LoweringStep<PipelineState, LowerOptions> kPipelineSteps[] = {
    {"number_unnamed", "names the unnamed Vars and Funcs, independent of other pipelines",
     [](auto& p, auto&) { p = state_of(number_unnamed(p.outputs)); }, gives(Stage::Definitions)},
    {"inline_functions", "substitutes the Funcs that have no loops of their own into their consumers",
     [](auto& p, auto&) { p.producers = inline_functions(p.functions, p.outputs); }},
    {"place_functions", "gives one nest per kernel, with each compute_at Func placed inside its consumer",
     [](auto& p, auto&) { p.placed = place_functions(p.producers); }},
    {"check_directives", "refuses directives for storage or kernels that a Func does not have",
     [](auto& p, auto&) { check_directives(p.functions, p.producers, p.placed); }},
    {"check_half_arithmetic", "refuses arithmetic of f16 that the device does not have",
     [](auto& p, auto& o) { check_half_arithmetic(p.producers, o); }},
    {"check_double", "refuses f64 if the device does not have it",
     [](auto& p, auto& o) { check_double(p.functions, o.has_fp64); }},
    {"plan_storage", "chooses the layout of every tensor, and the buffers and images outside the kernels",
     [](auto& p, auto& o) { p.tensors = plan_storage(p.functions, p.producers, p.placed, p.parameters, o); }},
    {"check_input_reads", "refuses reads outside an Input's shape",
     [](auto& p, auto&) { p.needs_read_guards = check_input_reads(p.placed, p.producers, p.functions); }},
    {"guard_input_reads",
     "puts tests around reads of Inputs that only serve points of a box which no result needs",
     [](auto& p, auto&) {
       if (p.needs_read_guards) p.placed = guard_input_reads(std::move(p.placed), p.functions);
     }},
    {"check_run_over", "refuses a Tail::RoundUp that reads more of an Input than is there",
     [](auto& p, auto&) { check_run_over(p.placed, p.producers, p.functions); }},
    {"infer_launch_requirements",
     "turns what could not be proven of reads into conditions that the launch checks",
     [](auto& p, auto&) { p.requirements = infer_launch_requirements(p.placed, p.producers, p.functions); }},
    {"guard_unneeded_reads", "puts tests around reads that a schedule adds beyond these and no result needs",
     [](auto& p, auto&) {
       p.placed = guard_unneeded_reads(p.placed, p.producers, p.functions, p.requirements);
     }},
    {"skip_unneeded_nests", "notes where a kernel need not run",
     [](auto& p, auto&) { skip_unneeded_nests(p.placed.nests, p.requirements); }, gives(Stage::Nests)},
};

/// Splits tuples, and gives tensors without dimensions an index.
void split_tuples_if_any(KernelBody& k, const PassContext& c) {
  const bool has_any = std::ranges::any_of(c.tensors.stored, [](const auto& tensor) {
    return tensor.first.find('.') != std::string::npos || tensor.second.layout.rank() == 0;
  });
  if (has_any) k.body = split_tuples(k.body);
}

void simplify_body(KernelBody& k, const PassContext& c) {
  k.body = simplify(k.body, bounds_of_indices(k, c));
}

/// Does nothing if no pass has changed the body since it was last simplified here.
void simplify_changed(KernelBody& k, const PassContext& c) {
  if (k.body.get() == k.simplified.get()) return;
  simplify_body(k, c);
  k.simplified = k.body;
}

/// Removes the tests that say nothing, which would seem to keep work-items away from a barrier.
void simplify_convergent(KernelBody& k, const PassContext& c) {
  if (has_convergent_operation(k.body)) simplify_body(k, c);
}

/// Keeps divisions that the backend prints unchanged.
void reduce_strength_unless_floors(KernelBody& k, const PassContext& c) {
  const bool floors = c.options.code.division == IntegerDivision::Flooring;
  if (!floors) k.body = reduce_strength(k.body, bounds_of_indices(k, c));
}

/// Steps from the loops of one kernel to the work of one work-item. They end early if no statement is left.
constexpr LoweringStep<KernelBody, PassContext> kNestSteps[] = {
    {"split_tuples",
     "makes a buffer of each component of a tuple, and gives tensors without dimensions an index",
     split_tuples_if_any},
    {"drop_promises", "removes unsafe_promise_clamped, after bounds inference has used it",
     [](auto& k, auto&) { k.body = drop_promises(k.body); }},
    {"inline_lets", "substitutes the names of indices", [](auto& k, auto&) { k.body = inline_lets(k.body); }},
    {"substitute_assumptions", "substitutes Params whose values the condition of a specialization gives",
     [](auto& k, auto& c) { k.body = substitute(k.body, c.assumptions.values); }},
    {"simplify_loops", "simplifies loops and indices", simplify_body, gives(Stage::Loops)},
    {"software_pipeline_loops",
     "software pipelining: reads the next tile of a double buffer while the current one is used",
     [](auto& k, auto& c) { k = software_pipeline_loops(k, c.pipeline.double_buffered); }},
    {"map_work_items", "turns block and thread loops into work-group and work-item indices",
     [](auto& k, auto& c) { k = map_work_items(k, c.nest.function, c.assumptions.bounds); }},
    {"lower_sub_group_storage",
     "spreads tiles over the registers of a sub-group; other work-items get elements by a broadcast "
     "or a shuffle",
     [](auto& k, auto& c) { k.body = lower_sub_group_storage(k.body, bounds_of_indices(k, c)); }},
    {"simplify_convergent", "simplifies tests around barriers", simplify_convergent},
    {"check_barriers", "refuses barriers and sub-group operations that not every work-item would reach",
     [](auto& k, auto& c) { check_barriers(k.body, c.nest.function); }, gives(Stage::WorkItems)},
    {"infer_sub_group_size",
     "finds the sub-group size that its operations need, and checks that the device has it",
     [](auto& k, auto& c) { k = infer_sub_group_size(k, c); }},
    {"narrow_arithmetic",
     "drops roundings to f16 of values that are f16; with half_arithmetic() computes f16 values in "
     "f16",
     [](auto& k, auto& c) { k.body = narrow_arithmetic(k.body, c.directives.half_arithmetic); }},
    {"eliminate_boundary_tests", "removes tests that an image's border makes needless",
     [](auto& k, auto& c) {
       k.body = eliminate_boundary_tests(k.body, c.tensors.stored, bounds_of_indices(k, c));
     },
     kOptional},
    {"flatten_storage", "turns one index per dimension into one linear index, by the tensor's layout",
     [](auto& k, auto& c) { k = flatten_storage(k, c); }},
    {"simplify", "simplifies the nest", simplify_changed},
    {"vectorize_loops", "turns vectorized loops into operations on vectors",
     [](auto& k, auto& c) { k.body = vectorize_loops(k.body, c.options.code.vector_widths); }},
    {"unroll_loops", "copies the bodies of unrolled loops",
     [](auto& k, auto&) { k.body = unroll_loops(k.body); }},
    {"simplify_unrolled", "simplifies what unroll_loops has changed", simplify_changed},
    {"use_matrix_units", "turns loops that multiply matrices of f16 into one operation of a sub-group",
     [](auto& k, auto& c) { k = use_matrix_units(k, c); }},
    {"use_dot_products",
     "turns the sum of four neighboring products of 8-bit integers into one operation, where the "
     "device has it",
     [](auto& k, auto& c) { k = use_dot_products(k, c); }, kOptional},
    {"unswitch_loops",
     "moves tests that do not change out of loops: a body for full tiles, and one for the rest",
     [](auto& k, auto& c) { k.body = unswitch_loops(k.body, bounds_of_indices(k, c)); }, kOptional},
    {"trim_loops",
     "limits a loop whose whole body is guarded by tests to the iterations in which one of them "
     "holds",
     [](auto& k, auto& c) { k.body = trim_loops(k.body, bounds_of_indices(k, c)); }, kOptional},
    {"promote_to_scalars",
     "scalar promotion: keeps an element that each iteration reads and writes in a register while "
     "the loop runs",
     [](auto& k, auto& c) { k.body = promote_to_scalars(k.body, bounds_of_indices(k, c)); }, kOptional},
    {"partition_loops",
     "splits a loop with tests at its ends into three, of which the middle one has no tests",
     [](auto& k, auto& c) { k.body = partition_loops(k.body, bounds_of_indices(k, c)); }, kOptional},
    {"drop_idle_stores",
     "removes stores of a value that was read from the same address and has not changed there",
     [](auto& k, auto&) { k.body = drop_idle_stores(k.body); }, kOptional},
    {"scalarize_register_tiles", "turns arrays with constant indices into vector variables",
     [](auto& k, auto&) { k.body = scalarize_register_tiles(k.body); }},
    {"legalize_image_accesses", "turns accesses of images into reads and writes of whole texels",
     [](auto& k, auto& c) { k.body = legalize_image_accesses(k.body, c.tensors.images); }},
    {"legalize_vectors", "turns strided and conditional accesses of vectors into those that OpenCL has",
     [](auto& k, auto& c) { k.body = legalize_vectors(k.body, c.tensors.images); }},
    {"simplify_vectors", "simplifies the vectors that the passes before it made", simplify_changed},
    {"coalesce_loads",
     "load coalescing over several statements: scalars at consecutive addresses become a vector, "
     "overlapping vectors aligned pieces",
     [](auto& k, auto& c) { k.body = coalesce_loads(k.body, c.tensors.images); }, kOptional},
    {"align_accesses",
     "marks vectors whose first index is a multiple of their lanes: they are read and written whole",
     [](auto& k, auto& c) { k.body = align_accesses(k.body, bounds_of_indices(k, c)); }, kOptional},
    {"expand_broadcasts",
     "without autobroadcast, turns scalars into vectors before an operation with vectors",
     [](auto& k, auto& c) {
       if (!c.directives.autobroadcast) k.body = expand_broadcasts(k.body);
     }},
    {"hoist_addresses", "computes common parts of addresses in the outermost loop that knows their operands",
     [](auto& k, auto&) { k.body = hoist_addresses(k.body); }, kOptional},
    {"reduce_strength",
     "turns divisions and remainders into shifts, masks and plain divisions where these give the "
     "same",
     reduce_strength_unless_floors, kOptional},
    {"expand_erf", "expands the error function of f32 into arithmetic, which runs in vectors",
     [](auto& k, auto&) { k.body = expand_erf(k.body); }},
    {"expand_extrema", "expands minima and maxima that propagate NaNs into comparisons",
     [](auto& k, auto&) { k.body = expand_extrema(k.body); }},
    {"eliminate_common_subexpressions", "CSE: names an expression that a statement computes more than once",
     [](auto& k, auto& c) { k.body = eliminate_common_subexpressions(k.body, c.tensors.images); }},
    {"mark_inside_reads", "marks reads of images at coordinates that are proven inside: they need no sampler",
     [](auto& k, auto& c) { k.body = mark_inside_reads(k.body, c.tensors.images, bounds_of_indices(k, c)); },
     kOptional},
    {"restrict_launch", "launches no work-groups where a specialization does the work, or does not",
     [](auto& k, auto& c) { k = restrict_launch(k, c.nest); }},
};

/// Context of the steps over a lowered kernel.
struct KernelContext {
  const KernelBody& work;
  const PassContext& pass;
};

void outline(LoweredKernel& k, const KernelContext& c) {
  k = outline_kernel(c.pass.kernel, c.work, c.pass.tensors);
  k.is_specialized = c.pass.nest.is_specialization();
  k.autobroadcast = c.pass.directives.autobroadcast;
  k.half_arithmetic = c.pass.directives.half_arithmetic;
}

void place_constant_inputs(LoweredKernel& k, const KernelContext& c) {
  k = infer_constant_inputs(std::move(k), whole_inputs(c.pass.pipeline), c.pass.options.constant_bytes);
}

void keep_short_loops(LoweredKernel& k, const KernelContext& c) {
  const LowerOptions& options = c.pass.options;
  if (options.loop_registers == 0 || !k.body.defined()) return;
  const int live = options.gathers_reads ? 0 : live_registers(k);
  k.body = keep_loops(k.body, options.loop_registers, options.gathers_reads, live);
}

/// Steps from the work of one work-item to a kernel with its arguments.
constexpr LoweringStep<LoweredKernel, KernelContext> kKernelSteps[] = {
    {"outline_kernel", "gives a kernel its arguments, access qualifiers and launch shape", outline},
    {"infer_constant_inputs",
     "puts small Inputs that all work-items read alike into the constant address space",
     place_constant_inputs},
    {"keep_loops",
     "marks short loops that the device's compiler must not unroll, for the registers of their reads",
     keep_short_loops},
    {"count_resources", "counts registers, local memory and floating-point operations",
     [](auto& k, auto& c) { k.resources = count_resources(k, c.pass.options.gathers_reads); }},
    {"check_private_memory", "refuses arrays larger than a work-item's private memory",
     [](auto& k, auto& c) { check_private_memory(k, c.pass.options.private_memory); }, gives(Stage::Kernels)},
};

PipelineState run_pipeline_steps(const std::vector<FunctionPtr>& outputs, const LowerOptions& options) {
  PipelineState pipeline{outputs, {}, {}, {}, {}, {}};
  for (const auto& step : kPipelineSteps) {
    step.run(pipeline, options);
    observe_step(step.info(), pipeline, options);
  }
  return pipeline;
}

LoweredKernel lower_nest(const RootNest& nest, const PipelineState& pipeline, const LowerOptions& options) {
  const PassContext context = context_of(nest, pipeline, options);
  Stage reached = Stage::Nests;
  const auto observe = [&](const StepInfo& step, const Stmt& body) {
    reached = step.gives.value_or(reached);
    observe_step(step, context.kernel, body, reached, pipeline, options);
  };
  KernelBody work{nest.body};
  work.exchanged = pipeline.exchanged;
  for (const auto& step : kNestSteps) {
    if (!work.body.defined()) break;
    if (step.traits.is_optional && options.without.contains(std::string(step.name))) continue;
    step.run(work, context);
    observe(step.info(), work.body);
  }
  if (!work.body.defined()) work.groups = {Expr(0), Expr(1), Expr(1)};
  LoweredKernel kernel;
  for (const auto& step : kKernelSteps) {
    step.run(kernel, {work, context});
    observe(step.info(), kernel.body);
  }
  return kernel;
}

/// Lists the tensors that the kernels read and write, in addition to the outputs.
void list_tensors(LoweredPipeline& result, const PipelineState& pipeline) {
  std::set<std::string> seen(result.outputs.begin(), result.outputs.end());
  for (const LoweredKernel& kernel : result.kernels) {
    for (const BufferArgument& b : kernel.buffers) {
      if (!seen.insert(b.name).second) continue;
      if (pipeline.inputs.contains(b.name)) {
        result.inputs.push_back(b.name);
      } else {
        result.intermediates.push_back({b.name, pipeline.tensors.stored.at(b.name), b.elements});
      }
    }
  }
}

void check_outputs(const std::vector<FunctionPtr>& outputs) {
  if (outputs.empty()) throw DefinitionError("Pipeline: no output given; pass one or more Funcs");
  for (const FunctionPtr& output : outputs) {
    if (output->is_input() || !output->is_defined())
      throw DefinitionError(fmt::format("{}: the output of a pipeline must be a defined Func", output->name));
    if (std::ranges::count(outputs, output) > 1)
      throw DefinitionError(
          fmt::format("Pipeline: {} is listed twice as an output; pass it once", output->name));
  }
}

}  // namespace

std::vector<StepInfo> lowering_steps() {
  std::vector<StepInfo> steps;
  for (const auto& step : kPipelineSteps) steps.push_back(step.info());
  for (const auto& step : kNestSteps) steps.push_back(step.info());
  for (const auto& step : kKernelSteps) steps.push_back(step.info());
  return steps;
}

std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const StepInfo& step : lowering_steps()) {
    if (step.is_optional) names.emplace_back(step.name);
  }
  return names;
}

void check_optional_passes(const std::set<std::string>& passes) {
  const std::vector<std::string> optional = optional_passes();
  for (const std::string& pass : passes) {
    if (std::ranges::find(optional, pass) != optional.end()) continue;
    const bool is_known =
        std::ranges::any_of(lowering_steps(), [&](const StepInfo& step) { return step.name == pass; });
    throw ScheduleError(fmt::format("disable_pass(\"{}\"): {}; passes that can be disabled are {}", pass,
                                    is_known ? "this pass is required" : "unknown pass",
                                    fmt::join(optional, ", ")));
  }
}

LoweredPipeline lower(const FunctionPtr& output, const LowerOptions& options) {
  return lower(std::vector<FunctionPtr>{output}, options);
}

LoweredPipeline lower(const std::vector<FunctionPtr>& outputs, const LowerOptions& options) {
  check_outputs(outputs);
  check_optional_passes(options.without);
  const PipelineState pipeline = run_pipeline_steps(outputs, options);
  LoweredPipeline result;
  result.requirements = pipeline.requirements.reads;
  result.factors = pipeline.requirements.factors;
  std::set<std::string> output_names;
  for (const FunctionPtr& output : pipeline.outputs) {
    output_names.insert(output->name);
    std::ranges::copy(output->buffers(), std::back_inserter(result.outputs));
  }
  for (const RootNest& nest : pipeline.placed.nests) {
    LoweredKernel kernel = lower_nest(nest, pipeline, options);
    // An update may write only elements that are never read; an output has a kernel even if it has no
    // elements.
    const bool is_output = output_names.contains(nest.function) && nest.stage == schedule::StageId{};
    if (kernel.body.defined() || is_output) result.kernels.push_back(std::move(kernel));
  }
  list_tensors(result, pipeline);
  return result;
}

}  // namespace tensordsl::lower

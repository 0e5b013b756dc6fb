#include "graph/compile_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/run_in_parallel.h"
#include "graph/assemble_program.h"
#include "graph/bake_constants.h"
#include "graph/chain_sums.h"
#include "graph/choose_host.h"
#include "graph/choose_images.h"
#include "graph/choose_layouts.h"
#include "graph/choose_overwritten.h"
#include "graph/compose_parts.h"
#include "graph/compose_rows.h"
#include "graph/describe_group.h"
#include "graph/eliminate_movement.h"
#include "graph/find_loops.h"
#include "graph/fuse.h"
#include "graph/fuse_attention.h"
#include "graph/gather_loops.h"
#include "graph/keep_inputs.h"
#include "graph/merge_equal_tensors.h"
#include "graph/merge_pads.h"
#include "graph/merge_products.h"
#include "graph/plan_storage.h"
#include "graph/quantize_weights.h"
#include "graph/recognize_rolls.h"
#include "graph/refusals.h"
#include "graph/restore_integers.h"
#include "graph/schedule_group.h"
#include "graph/share_images.h"
#include "graph/share_memory.h"
#include "graph/simplify_graph.h"
#include "graph/slide_over_sums.h"
#include "graph/take_in_sums.h"
#include "graph/use_winograd.h"

namespace tensordsl {
namespace {

ImageUse image_use(const CompileOptions& options) {
  if (!options.optimizations.layout_selection) return {};
  return {image_limits(options), {}};
}

/// The passes that do not depend on the device.
DefinitionGraph simple(DefinitionGraph graph, const CompileOptions& options, PassRecords* log) {
  LoggedPasses passes(std::move(graph), log);
  passes.run("simplify_graph",
             [](DefinitionGraph g, PassNotes* notes) { return simplify_graph(std::move(g), notes); });
  passes.run("merge_equal_tensors", [&](DefinitionGraph g, PassNotes* notes) {
    return merge_equal_tensors(std::move(g), options.on_host, notes);
  });
  if (options.optimizations.movement_elimination) {
    passes.run("recognize_rolls", [&](DefinitionGraph g, PassNotes* notes) {
      return recognize_rolls(std::move(g), options.on_host, notes);
    });
  }
  // What merge_products leaves of each product is a movement.
  if (options.optimizations.fusion && options.optimizations.movement_elimination) {
    passes.run("merge_products", [&](DefinitionGraph g, PassNotes* notes) {
      return merge_products(std::move(g), options.on_host, notes);
    });
    passes.run("merge_pads", [&](DefinitionGraph g, PassNotes* notes) {
      return merge_pads(std::move(g), options.on_host, notes);
    });
  }
  return passes.take();
}

/// The passes that do. `apart`: tensors (DefinedTensor::name) that are not fused with others into one.
DefinitionGraph for_device(DefinitionGraph graph, const CompileOptions& options,
                           const std::set<std::string>& apart, PassRecords* log) {
  LoggedPasses passes(std::move(graph), log);
  if (options.optimizations.fusion) {
    passes.run("compose_rows", [&](DefinitionGraph g, PassNotes* notes) {
      return compose_rows(std::move(g), options.target, options.on_host, apart, notes);
    });
    passes.run("compose_parts", [&](DefinitionGraph g, PassNotes* notes) {
      return compose_parts(std::move(g), options.on_host, apart, notes);
    });
    passes.run("fuse_attention", [&](DefinitionGraph g, PassNotes* notes) {
      return fuse_attention(std::move(g), options.target, options.on_host, apart, notes);
    });
  }
  if (options.optimizations.movement_elimination) {
    passes.run("eliminate_movement", [&](DefinitionGraph g, PassNotes* notes) {
      return eliminate_movement(std::move(g), options.on_host, notes);
    });
  }
  passes.run("bake_constants",
             [](DefinitionGraph g, PassNotes* notes) { return bake_constants(std::move(g), notes); });
  // Pairs of four bits are made of the numbers themselves. Matrix units multiply f16 as it is stored.
  const bool multiplies_halves = options.precision == Precision::Float16 && options.target.has_matrix_units;
  if (options.weights != WeightPrecision::Int4 && !multiplies_halves) {
    passes.run("restore_integers",
               [](DefinitionGraph g, PassNotes* notes) { return restore_integers(std::move(g), notes); });
  }
  if (options.weights != WeightPrecision::Model) {
    passes.run("quantize_weights", [&](DefinitionGraph g, PassNotes* notes) {
      return quantize_weights(std::move(g), options.weights, notes);
    });
  }
  return passes.take();
}

std::vector<Group> groups_of(const DefinitionGraph& graph, const KeptApart& apart,
                             const CompileOptions& options) {
  if (!options.optimizations.fusion) return separate(graph);
  std::vector<Group> groups = fuse(graph, apart);
  groups = take_in_sums(graph, std::move(groups), apart);
  return chain_sums(graph, std::move(groups), options.target, apart);
}

/// On all cores.
std::vector<ScheduledGroup> schedule_groups(const PlannedGraph& plan, const ImageUse& images,
                                            const CompileOptions& options) {
  const TensorFuncs funcs(plan.graph);
  std::vector<ScheduledGroup> scheduled(plan.groups.size());
  run_in_parallel(
      static_cast<int>(plan.groups.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        scheduled[i] = schedule_group(plan, funcs, i, images, options);
      },
      nullptr, options.threads);
  return scheduled;
}

/// A graph that is cut into groups, with a place for each tensor.
PlannedGraph planned(const DefinitionGraph& simplified, const CompileOptions& options, const Refused& refused,
                     const ImageUse& images, PassRecords* log) {
  PlannedGraph plan;
  plan.stood_in = refused.stood_in;
  plan.most_items = refused.most_items;
  plan.graph = for_device(simplified, options, refused.together, log);
  keep_inputs(plan.graph, options);
  plan.on_host = choose_host(plan.graph, options);
  plan.fused = groups_of(plan.graph, {plan.on_host, refused.together, find_loops(plan.graph)}, options);
  plan.groups = plan.fused;
  plan.storage = plan_storage(plan.graph, plan.groups, options.optimizations);
  place_images(plan.graph, options.device, plan.storage);
  if (options.optimizations.winograd)
    plan.winograd = use_winograd(plan.graph, plan.groups, plan.storage, options.target, refused.winograd,
                                 options.winograd_budget);
  plan.placed = plan.groups;
  if (options.optimizations.fusion) {
    KeptApart apart{plan.on_host, refused.together, find_loops(plan.graph)};
    apart.alone.insert(refused.slid_over.begin(), refused.slid_over.end());
    plan.groups = slide_over_sums(plan.graph, std::move(plan.groups), plan.storage, plan.winograd,
                                  options.target, apart);
  }
  if (!plan.graph.loops.empty())
    plan.groups = gather_loops(plan.graph, find_loops(plan.graph), std::move(plan.groups));
  if (images.limits) choose_images(plan.graph, schedule_groups(plan, {}, options), images, plan.storage);
  return plan;
}

/// Planned and lowered, until the device refuses nothing that could be done otherwise. `images`: as they are
/// allowed to begin with, and in the end.
CompiledGraph settled(DefinitionGraph& graph, const CompileOptions& options, ImageUse& images,
                      PassRecords* log) {
  const std::size_t logged = log ? log->size() : 0;
  Refused refused;
  for (;;) {
    if (log) log->resize(logged);
    CompiledGraph result{planned(graph, options, refused, images, log), {}, {}, {}, {}};
    result.scheduled = schedule_groups(result, images, options);
    if (options.better_apart && note_better_apart(result, result.scheduled, refused)) continue;
    if (options.optimizations.memory_plan) choose_overwritten(result.graph, result.storage, result.scheduled);
    result.lowered = lower_groups(result.scheduled, options);
    const std::size_t before = refused.size() + images.kept_buffers.size();
    note_refusals(result, refused, images, graph.warnings);
    if (refused.size() + images.kept_buffers.size() != before) continue;
    if (!options.max_group_size || !note_work_groups(result, options, refused, graph.warnings)) return result;
  }
}

}  // namespace

CompiledGraph compile_in_full(DefinitionGraph graph, const CompileOptions& options, PassRecords* log) {
  graph = simple(std::move(graph), options, log);
  ImageUse images = image_use(options);
  CompiledGraph result = settled(graph, options, images, log);
  result.images = images;
  result.program =
      assemble_program(result.graph, result.storage, result.scheduled, result.lowered, options.precision);
  if (options.optimizations.memory_plan) {
    share_memory(result.program, memory_limits(options.device));
    share_images(result.program, images_read_beside(result.graph, result.storage, result.scheduled));
  }
  return result;
}

Program compile_graph(DefinitionGraph graph, const CompileOptions& options) {
  return compile_in_full(std::move(graph), options).program;
}

std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  ImageUse images = image_use(options);
  graph = simple(std::move(graph), options, nullptr);
  const PlannedGraph plan = settled(graph, options, images, nullptr);
  const TensorFuncs funcs(plan.graph);
  std::string text;
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    ScheduledGroup scheduled = schedule_group(plan, funcs, i, images, options);
    if (!matches(plan.graph, scheduled.group, filter)) continue;
    text += describe_group(plan.graph, scheduled, stage, options.device);
  }
  return text;
}

}  // namespace tensordsl

#include "graph/compile_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/run_in_parallel.h"
#include "graph/assemble_program.h"
#include "graph/chain_sums.h"
#include "graph/choose_host.h"
#include "graph/choose_layouts.h"
#include "graph/choose_overwritten.h"
#include "graph/choose_schedules.h"
#include "graph/describe_group.h"
#include "graph/eliminate_movement.h"
#include "graph/fuse.h"
#include "graph/fuse_attention.h"
#include "graph/group_key.h"
#include "graph/merge_dimensions.h"
#include "graph/merge_products.h"
#include "graph/plan_storage.h"
#include "graph/recognize_rolls.h"
#include "graph/share_memory.h"
#include "graph/simplify_graph.h"
#include "graph/take_in_sums.h"
#include "graph/use_winograd.h"

namespace tensordsl {
namespace {

/// The passes over one group.
ScheduledGroup schedule_group(const DefinitionGraph& graph, const TensorFuncs& funcs, const Group& fused,
                              const TensorStorage& storage, const CompileOptions& options) {
  Group group = define_group(graph, funcs, fused, options.precision);
  group = with_layouts(std::move(group), storage.layouts);
  group = merge_dimensions(std::move(group));
  const ChosenSchedule schedule = choose_schedule(group, options.target);
  store_constants_as_wanted(group, schedule);
  std::string key = group_key(group, schedule);
  std::vector<std::string> nodes;
  for (const std::size_t tensor : fused.tensors) {
    for (const Origin& origin : origins_of(graph.tensors[tensor])) nodes.push_back(to_string(origin));
  }
  return {std::move(group), schedule, std::move(key), {}, fmt::format("{}", fmt::join(nodes, ", "))};
}

/// The passes that do not depend on the device.
DefinitionGraph simple(DefinitionGraph graph, const CompileOptions& options, PassRecords* log) {
  LoggedPasses passes(std::move(graph), log);
  passes.run("simplify_graph",
             [](DefinitionGraph g, PassNotes* notes) { return simplify_graph(std::move(g), notes); });
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
  }
  return passes.take();
}

/// The passes that do. `apart`: tensors (DefinedTensor::name) that are not fused with others into one.
DefinitionGraph for_device(DefinitionGraph graph, const CompileOptions& options,
                           const std::set<std::string>& apart, PassRecords* log) {
  LoggedPasses passes(std::move(graph), log);
  if (options.optimizations.fusion) {
    passes.run("fuse_attention", [&](DefinitionGraph g, PassNotes* notes) {
      return fuse_attention(std::move(g), options.target, options.on_host, apart, notes);
    });
  }
  if (options.optimizations.movement_elimination) {
    passes.run("eliminate_movement", [&](DefinitionGraph g, PassNotes* notes) {
      return eliminate_movement(std::move(g), options.on_host, notes);
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

/// Tensors (DefinedTensor::name) that a device has refused.
struct Refused {
  std::set<std::string> together;  ///< with others as one kernel
  std::set<std::string> winograd;

  std::size_t size() const { return together.size() + winograd.size(); }
};

/// A graph that is cut into groups, with a place for each tensor.
PlannedGraph planned(const DefinitionGraph& simplified, const CompileOptions& options, const Refused& refused,
                     PassRecords* log) {
  PlannedGraph plan;
  plan.graph = for_device(simplified, options, refused.together, log);
  plan.on_host = choose_host(plan.graph, options);
  plan.fused = groups_of(plan.graph, {plan.on_host, refused.together}, options);
  plan.groups = plan.fused;
  plan.storage = plan_storage(plan.graph, plan.groups, options.optimizations);
  if (options.optimizations.winograd && options.precision == Precision::Float32)
    plan.winograd = use_winograd(plan.graph, plan.groups, plan.storage, options.target, refused.winograd);
  return plan;
}

/// Of a group that the device refuses as one kernel, the tensors that are several in one; if there are none
/// and it has several tensors, all.
std::set<std::string> too_large(const PlannedGraph& plan, const Group& group) {
  std::set<std::string> of_several, all;
  for (const std::size_t tensor : group.tensors) {
    const DefinedTensor& t = plan.graph.tensors[tensor];
    all.insert(t.name);
    if (!t.fused.empty()) of_several.insert(t.name);
  }
  if (!of_several.empty()) return of_several;
  return all.size() > 1 ? all : std::set<std::string>();
}

/// What to do without, where the device refuses groups, with a warning for each.
void note_refusals(const CompiledGraph& compiled, Refused& refused, std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < compiled.groups.size(); ++i) {
    const ScheduledGroup& group = compiled.scheduled[i];
    if (compiled.lowered[i].program || !group.refusal.empty()) continue;
    const std::size_t known = refused.size();
    const std::size_t tensor = group.group.stored_tensors[0];
    const bool is_winograd = compiled.winograd.contains(tensor);
    if (is_winograd) {
      refused.winograd.insert(compiled.graph.tensors[tensor].name);
    } else {
      refused.together.merge(too_large(compiled, group.group));
    }
    if (refused.size() == known) continue;
    warnings.push_back(fmt::format("{}: {}, because {}", group.nodes,
                                   is_winograd ? "not by Winograd's way" : "several kernels",
                                   compiled.lowered[i].refusal));
  }
}

}  // namespace

CompiledGraph compile_in_full(DefinitionGraph graph, const CompileOptions& options, PassRecords* log) {
  graph = simple(std::move(graph), options, log);
  const std::size_t logged = log ? log->size() : 0;
  Refused refused;
  for (;;) {
    if (log) log->resize(logged);
    CompiledGraph result{planned(graph, options, refused, log), {}, {}, {}};
    const TensorFuncs funcs(result.graph);
    const std::vector<Group>& groups = result.groups;
    result.scheduled.resize(groups.size());
    run_in_parallel(
        static_cast<int>(groups.size()),
        [&](int job) {
          const auto i = static_cast<std::size_t>(job);
          result.scheduled[i] = schedule_group(result.graph, funcs, groups[i], result.storage, options);
          result.scheduled[i].refusal = result.on_host[groups[i].tensors[0]];
        },
        nullptr, options.threads);
    if (options.optimizations.memory_plan) choose_overwritten(result.graph, result.storage, result.scheduled);
    result.lowered = lower_groups(result.scheduled, options);
    const std::size_t before = refused.size();
    note_refusals(result, refused, graph.warnings);
    if (refused.size() > before) continue;
    result.program =
        assemble_program(result.graph, result.storage, result.scheduled, result.lowered, options.precision);
    if (options.optimizations.memory_plan) share_memory(result.program, memory_limits(options.device));
    return result;
  }
}

Program compile_graph(DefinitionGraph graph, const CompileOptions& options) {
  return compile_in_full(std::move(graph), options).program;
}

std::string emit_stage(DefinitionGraph graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  const PlannedGraph plan = planned(simple(std::move(graph), options, nullptr), options, {}, nullptr);
  const TensorFuncs funcs(plan.graph);
  std::string text;
  for (const Group& group : plan.groups) {
    ScheduledGroup scheduled = schedule_group(plan.graph, funcs, group, plan.storage, options);
    if (!matches(plan.graph, scheduled.group, filter)) continue;
    text += describe_group(plan.graph, scheduled, stage, options);
  }
  return text;
}

}  // namespace tensordsl

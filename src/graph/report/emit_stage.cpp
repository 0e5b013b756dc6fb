#include "graph/report/emit_stage.h"

#include <fmt/format.h>

#include <set>

#include "classify/classify.h"
#include "classify/layout_type.h"
#include "classify/movement.h"
#include "graph/compile_graph.h"
#include "graph/report/select_groups.h"
#include "graph/schedule/lower_groups.h"
#include "graph/schedule/schedule_group.h"
#include "schedule/func_schedule.h"
#include "tensordsl/pipeline.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;
using definitions::StoredGroup;

using Funcs = std::vector<Func>;

std::string describe_classes(const StoredGroup& group) {
  std::string text;
  std::vector<classify::Classification> all;
  for (const Funcs* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    for (const Func& func : *funcs) {
      all.push_back(classify::classify(func.contents()));
      text += fmt::format("{}: {}", func.name(), classify::to_string(all.back()));
    }
  }
  const auto movement = classify::movement_of(group.outputs[0].contents(), group.stored[0].extents);
  const bool is_bijection = all.size() == 1 && movement && movement->is_bijective;
  return text +
         fmt::format("together: {}\n", classify::to_string(classify::layout_type_of(all, is_bijection)));
}

std::string describe_roles(const StoredGroup& group) {
  std::string text;
  const auto add = [&](const char* role, const Funcs& funcs) {
    for (const Func& func : funcs) {
      const ir::Function& function = func.contents();
      for (const ir::Definition& definition : function.definitions) {
        std::string dims;
        for (const std::string& dim : function.dims) dims += (dims.empty() ? "" : ", ") + dim;
        text += fmt::format("{} {}({}) = {}", role, func.name(), dims, to_string(definition.values[0]));
        for (const ir::ReductionAxis& axis : definition.domain)
          text += fmt::format(" for {} in [0, {})", axis.name, to_string(axis.extent));
        text += "\n";
      }
    }
  };
  add("prologue", group.prologue);
  add("anchor", group.anchors);
  add("epilogue", group.epilogue);
  return text;
}

std::string describe_layouts(const DefinitionGraph& graph, const ScheduledGroup& scheduled) {
  std::string text = fmt::format("strategy {}: {}\n", scheduled.schedule.strategy->name,
                                 to_string(scheduled.schedule.point));
  for (const definitions::GroupOperand& operand : scheduled.group.operands) {
    text += fmt::format("reads {} ({}{}): {}\n", operand.input.name(), operand.is_constant ? "constant " : "",
                        graph.tensors[operand.tensor].name, to_string(operand.stored));
  }
  for (std::size_t i = 0; i < scheduled.group.outputs.size(); ++i) {
    text += fmt::format("stores {}: {}\n", scheduled.group.outputs[i].name(),
                        to_string(scheduled.group.stored[i]));
  }
  return text;
}

/// The group's Funcs are scheduled by the stages of Pipeline::emit, for `device`, if it is known.
std::string describe_group(const DefinitionGraph& graph, ScheduledGroup& scheduled, const std::string& stage,
                           const std::optional<DeviceInfo>& device) {
  const StoredGroup& group = scheduled.group;
  std::string text = fmt::format("// {} -> {}\n", group.label, graph.tensors[group.stored_tensors[0]].name);
  if (stage == "classes") return text + describe_classes(group) + "\n";
  if (stage == "groups") return text + describe_roles(group) + "\n";
  if (stage == "layouts") return text + describe_layouts(graph, scheduled) + "\n";
  if (!scheduled.refusal.empty())
    return text + fmt::format("// the host computes it: {}\n\n", scheduled.refusal);
  const Pipeline pipeline = pipeline_of(scheduled);
  return text + (device ? pipeline.emit(stage, *device) : pipeline.emit(stage)) + "\n";
}

}  // namespace

std::string emit_stage(const DefinitionGraph& definitions, const CompileOptions& options,
                       const std::string& stage, const std::string& filter) {
  const Graph graph = compile_in_full(definitions, options, !filter.empty());
  const std::set<std::size_t> selected = select_groups(definitions, graph, filter, "emit");
  const definitions::TensorFuncs funcs(graph.definitions);
  const std::unique_ptr<CheapestSchedules> cheapest = priced_schedules(options);
  std::string text;
  for (const std::size_t i : selected) {
    // Equal groups share the Funcs of the first one; each gets its own here.
    ScheduledGroup scheduled = schedule_group(graph, funcs, i, options, cheapest.get());
    scheduled.overwritten = graph.scheduled[i].overwritten;
    text += describe_group(graph.definitions, scheduled, stage, options.device);
  }
  return text;
}

}  // namespace tensordsl::graph

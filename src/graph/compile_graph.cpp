#include "graph/compile_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "graph/choose_layouts.h"
#include "graph/choose_schedules.h"
#include "graph/count_flops.h"
#include "graph/define_group.h"
#include "graph/find_aliases.h"
#include "graph/fuse.h"
#include "graph/merge_dimensions.h"
#include "graph/place_parts.h"
#include "graph/plan_memory.h"
#include "ir/expr_node.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl {
namespace {

/// The passes over one group.
Group scheduled_group(const DefinitionGraph& graph, const TensorFuncs& funcs, const Group& fused,
                      const std::vector<Layout>& layouts, const CompileOptions& options) {
  Group group = define_group(graph, funcs, fused, options.precision);
  group = with_layouts(std::move(group), layouts);
  group = merge_dimensions(std::move(group));
  const ChosenSchedule schedule = choose_schedule(group, options.target);
  store_constants_as_wanted(group, schedule);
  apply_schedule(group, schedule, options.target);
  return group;
}

class GraphCompiler {
 public:
  GraphCompiler(const DefinitionGraph& graph, const CompileOptions& options)
      : graph_(graph),
        options_(options),
        funcs_(graph),
        groups_(fuse(graph)),
        layouts_(choose_layouts(graph)),
        whole_of_(place_parts(graph, groups_, layouts_)) {}

  CompiledGraph run() {
    for (const std::size_t input : graph_.inputs) add_input(input);
    const auto aliases = find_aliases(graph_, groups_, layouts_);
    std::set<std::size_t> wholes;
    for (const auto& [part, whole] : whole_of_) wholes.insert(whole);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto alias = aliases.find(groups_[i].tensors[0]);
      if (alias != aliases.end()) {
        buffer_of_[alias->first] = buffer_of_.at(alias->second);
      } else if (!wholes.contains(groups_[i].tensors[0])) {
        compile_group(groups_[i]);
      }
      if (options_.progress) options_.progress(static_cast<int>(i) + 1, static_cast<int>(groups_.size()));
    }
    for (const DefinitionGraph::Output& output : graph_.outputs) add_output(output);
    assign_slots();
    return std::move(result_);
  }

 private:
  /// Outputs are read from the buffer that holds them; one that is an input or a constant needs no kernel.
  void add_output(const DefinitionGraph::Output& output) {
    const std::size_t tensor = output.tensor;
    if (!buffer_of_.contains(tensor)) buffer_of_[tensor] = constant_buffer(tensor, described(tensor));
    const std::size_t buffer = buffer_of_.at(tensor);
    result_.outputs[output.name] = buffer;
    result_.infos[output.name] = info_of(output.name, tensor);
    if (result_.buffers[buffer].kind == PlannedBuffer::Kind::Intermediate) {
      result_.buffers[buffer].kind = PlannedBuffer::Kind::Output;
    }
  }

  TensorInfo info_of(const std::string& name, std::size_t tensor) const {
    TensorInfo info{name, graph_.tensors[tensor].type(), {}};
    for (const Expr& extent : graph_.tensors[tensor].shape) info.shape.push_back(*ir::as_int(extent));
    return info;
  }

  StoredTensor described(std::size_t tensor) const {
    const DefinedTensor& t = graph_.tensors[tensor];
    return {stored_type(t.type(), options_.precision), t.extents(), layouts_[tensor]};
  }

  void add_input(std::size_t tensor) {
    const std::string& name = graph_.tensors[tensor].name;
    buffer_of_[tensor] = add_buffer(PlannedBuffer::Kind::Input, name, described(tensor));
    result_.inputs[name] = buffer_of_[tensor];
    result_.infos[name] = info_of(name, tensor);
  }

  std::size_t add_buffer(PlannedBuffer::Kind kind, const std::string& tensor, const StoredTensor& stored) {
    result_.buffers.push_back({kind, tensor, stored, stored.bytes(), -1});
    return result_.buffers.size() - 1;
  }

  std::size_t constant_buffer(std::size_t tensor, const StoredTensor& stored) {
    const auto [it, is_new] = constants_.try_emplace({tensor, to_string(stored)}, 0);
    if (is_new) it->second = add_buffer(PlannedBuffer::Kind::Constant, graph_.tensors[tensor].name, stored);
    return it->second;
  }

  /// The memory of a tensor that a group computes: its own, or that of the tensor which it is a part of.
  std::size_t computed_buffer(std::size_t tensor) {
    if (const auto known = buffer_of_.find(tensor); known != buffer_of_.end()) return known->second;
    const auto whole = whole_of_.find(tensor);
    const std::size_t buffer =
        whole != whole_of_.end()
            ? computed_buffer(whole->second)
            : add_buffer(PlannedBuffer::Kind::Intermediate, graph_.tensors[tensor].name, described(tensor));
    buffer_of_[tensor] = buffer;
    return buffer;
  }

  void compile_group(const Group& fused) {
    const auto start = std::chrono::steady_clock::now();
    const Group group = scheduled_group(graph_, funcs_, fused, layouts_, options_);
    const CompiledPipeline pipeline = Pipeline(group.outputs).compile();
    result_.lowering_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result_.lowered_kernels += pipeline.kernels.size();

    std::map<std::string, std::size_t> buffers;  // by their names in the pipeline
    for (const GroupOperand& operand : group.operands) {
      buffers[operand.input.name()] = operand.is_constant ? constant_buffer(operand.tensor, operand.stored)
                                                          : buffer_of_.at(operand.tensor);
    }
    for (std::size_t i = 0; i < group.outputs.size(); ++i)
      buffers[pipeline.outputs[i]] = computed_buffer(group.stored_tensors[i]);
    for (const IntermediateBuffer& b : pipeline.intermediates) {
      const std::string& output = graph_.tensors[group.stored_tensors[0]].name;
      result_.buffers.push_back({PlannedBuffer::Kind::Intermediate, fmt::format("{} of {}", b.name, output),
                                 b.stored, evaluate(b.elements, {}) * b.stored.type.bytes(), -1});
      buffers[b.name] = result_.buffers.size() - 1;
    }
    for (const KernelSource& source : pipeline.kernels) {
      PlannedLaunch launch;
      launch.kernel = index_of(source);
      for (const KernelArgument& a : source.arguments) launch.buffers.push_back(buffers.at(a.name));
      for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = evaluate(source.launch.groups[d], {});
      launch.label = group.label;
      result_.launches.push_back(std::move(launch));
    }
    result_.launches.back().flops = count_flops(group);
  }

  std::size_t index_of(const KernelSource& source) {
    // The text alone does not tell kernels apart: two that copy may differ in their sizes only.
    const auto [it, is_new] = kernel_of_.try_emplace(source.text + to_json(source), result_.kernels.size());
    if (is_new) result_.kernels.push_back(source);
    return it->second;
  }

  void assign_slots() {
    std::vector<std::size_t> shared;
    std::vector<Lifetime> lifetimes;
    for (std::size_t b = 0; b < result_.buffers.size(); ++b) {
      if (result_.buffers[b].kind != PlannedBuffer::Kind::Intermediate) continue;
      Lifetime life{result_.buffers[b].bytes, -1, -1};
      for (std::size_t step = 0; step < result_.launches.size(); ++step) {
        const auto& used = result_.launches[step].buffers;
        if (std::find(used.begin(), used.end(), b) == used.end()) continue;
        if (life.first < 0) life.first = static_cast<int>(step);
        life.last = static_cast<int>(step);
      }
      shared.push_back(b);
      lifetimes.push_back(life);
    }
    const MemoryPlan plan = plan_memory(lifetimes);
    for (std::size_t i = 0; i < shared.size(); ++i) result_.buffers[shared[i]].slot = plan.slots[i];
    result_.slot_bytes = plan.slot_bytes;
  }

  const DefinitionGraph& graph_;
  const CompileOptions& options_;
  TensorFuncs funcs_;
  std::vector<Group> groups_;
  std::vector<Layout> layouts_;                  // by tensor
  std::map<std::size_t, std::size_t> whole_of_;  // of each part
  CompiledGraph result_;
  std::map<std::size_t, std::size_t> buffer_of_;                          // by tensor
  std::map<std::pair<std::size_t, std::string>, std::size_t> constants_;  // by tensor and how it is stored
  std::map<std::string, std::size_t> kernel_of_;                          // by text and manifest
};

}  // namespace

std::int64_t CompiledGraph::intermediate_bytes() const {
  return std::accumulate(slot_bytes.begin(), slot_bytes.end(), std::int64_t{0});
}

std::int64_t CompiledGraph::flops() const {
  std::int64_t total = 0;
  for (const PlannedLaunch& launch : launches) total += launch.flops;
  return total;
}

CompiledGraph compile_graph(const DefinitionGraph& graph, const CompileOptions& options) {
  return GraphCompiler(graph, options).run();
}

std::string emit_stage(const DefinitionGraph& graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  const TensorFuncs funcs(graph);
  const std::vector<Group> groups = fuse(graph);
  std::vector<Layout> layouts = choose_layouts(graph);
  place_parts(graph, groups, layouts);
  std::string text;
  for (const Group& fused : groups) {
    const Group group = scheduled_group(graph, funcs, fused, layouts, options);
    const std::string& output = graph.tensors[group.stored_tensors[0]].name;
    const auto has = [&](const std::string& name) { return name.find(filter) != std::string::npos; };
    if (!has(group.label) && !has(group.outputs[0].name()) && !has(output)) continue;
    text += fmt::format("// {} -> {}\n{}\n", group.label, output, Pipeline(group.outputs).emit(stage));
  }
  return text;
}

}  // namespace tensordsl

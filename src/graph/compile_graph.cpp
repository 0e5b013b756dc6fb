#include "graph/compile_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

#include "graph/fuse_nodes.h"
#include "graph/memory_order.h"
#include "graph/plan_memory.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/pipeline.h"

namespace tensordsl {
namespace {

bool only_reshapes(const std::string& op) {
  static const std::set<std::string> kOps{"Flatten", "Identity",  "Reshape",
                                          "Squeeze", "Unsqueeze", "Dropout"};
  return kOps.contains(op);
}

class GraphCompiler {
 public:
  GraphCompiler(const Graph& graph, const CompileOptions& options) : graph_(graph), options_(options) {}

  CompiledGraph run() {
    for (const std::string& input : graph_.inputs) add_input(input);
    const auto groups = fuse_nodes(graph_);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!add_alias(groups[i])) compile_group(groups[i]);
      if (options_.progress) options_.progress(static_cast<int>(i) + 1, static_cast<int>(groups.size()));
    }
    for (const std::string& output : graph_.outputs) add_output(output);
    assign_slots();
    return std::move(result_);
  }

 private:
  /// Outputs are read from the buffer that holds them; one that is an input or a constant needs no kernel.
  void add_output(const std::string& tensor) {
    if (!buffer_of_.contains(tensor)) {
      if (!graph_.is_constant(tensor))
        throw InternalError(fmt::format("compile_graph: nothing makes {}", tensor));
      buffer_of_[tensor] = constant_buffer(tensor, described(graph_.info(tensor)));
    }
    const std::size_t buffer = buffer_of_.at(tensor);
    result_.outputs[tensor] = buffer;
    result_.infos[tensor] = graph_.info(tensor);
    if (result_.buffers[buffer].kind == PlannedBuffer::Kind::Intermediate) {
      result_.buffers[buffer].kind = PlannedBuffer::Kind::Output;
    }
  }

  StoredTensor described(const TensorInfo& info) const {
    const Shape shape = info.shape.empty() ? Shape{1} : info.shape;
    return {stored_type(info.type, options_.precision), extents_of(shape), layout_of(memory_order(shape))};
  }

  void add_input(const std::string& tensor) {
    buffer_of_[tensor] = add_buffer(PlannedBuffer::Kind::Input, tensor, described(graph_.info(tensor)));
    result_.inputs[tensor] = buffer_of_[tensor];
    result_.infos[tensor] = graph_.info(tensor);
  }

  std::size_t add_buffer(PlannedBuffer::Kind kind, const std::string& tensor, const StoredTensor& stored) {
    result_.buffers.push_back({kind, tensor, stored, stored.bytes(), -1});
    return result_.buffers.size() - 1;
  }

  std::size_t constant_buffer(const std::string& tensor, const StoredTensor& stored) {
    const auto [it, is_new] = constants_.try_emplace(fmt::format("{}|{}", tensor, to_string(stored)), 0);
    if (is_new) it->second = add_buffer(PlannedBuffer::Kind::Constant, tensor, stored);
    return it->second;
  }

  /// A reshape that leaves every element where it is in memory is another name for the same buffer.
  bool add_alias(const NodeGroup& group) {
    const Node& node = graph_.nodes[group.nodes[0]];
    if (group.nodes.size() != 1 || !only_reshapes(node.op) || graph_.is_constant(node.inputs[0]))
      return false;
    if (!is_same_in_memory(graph_.info(node.inputs[0]).shape, graph_.info(group.output).shape)) return false;
    buffer_of_[group.output] = buffer_of_.at(node.inputs[0]);
    return true;
  }

  void compile_group(const NodeGroup& group) {
    const auto start = std::chrono::steady_clock::now();
    const GroupKernel kernel = build_kernel(graph_, group, options_.precision, options_.target);
    const CompiledPipeline pipeline = Pipeline(kernel.output).compile();
    result_.lowering_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result_.lowered_kernels += pipeline.kernels.size();

    std::map<std::string, std::size_t> buffers;  // by their names in the pipeline
    for (const GroupOperand& operand : kernel.operands) {
      buffers[operand.input] = graph_.is_constant(operand.tensor)
                                   ? constant_buffer(operand.tensor, operand.stored)
                                   : buffer_of_.at(operand.tensor);
    }
    for (const IntermediateBuffer& b : pipeline.intermediates) {
      result_.buffers.push_back({PlannedBuffer::Kind::Intermediate,
                                 fmt::format("{} of {}", b.name, group.output), b.stored,
                                 evaluate(b.elements, {}) * b.stored.type.bytes(), -1});
      buffers[b.name] = result_.buffers.size() - 1;
    }
    buffer_of_[group.output] = add_buffer(PlannedBuffer::Kind::Intermediate, group.output, kernel.stored);
    buffers[pipeline.outputs[0]] = buffer_of_[group.output];
    for (const KernelSource& source : pipeline.kernels) {
      PlannedLaunch launch;
      launch.kernel = index_of(source);
      for (const KernelArgument& a : source.arguments) launch.buffers.push_back(buffers.at(a.name));
      for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = evaluate(source.launch.groups[d], {});
      launch.label = kernel.label;
      result_.launches.push_back(std::move(launch));
    }
    result_.launches.back().flops = kernel.flops;
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

  const Graph& graph_;
  const CompileOptions& options_;
  CompiledGraph result_;
  std::map<std::string, std::size_t> buffer_of_;  // by tensor
  std::map<std::string, std::size_t> constants_;  // by tensor and how it is stored
  std::map<std::string, std::size_t> kernel_of_;  // by text and manifest
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

CompiledGraph compile_graph(const Graph& graph, const CompileOptions& options) {
  return GraphCompiler(graph, options).run();
}

std::string emit_stage(const Graph& graph, const CompileOptions& options, const std::string& stage,
                       const std::string& filter) {
  std::string text;
  for (const NodeGroup& group : fuse_nodes(graph)) {
    const GroupKernel kernel = build_kernel(graph, group, options.precision, options.target);
    if (kernel.label.find(filter) == std::string::npos &&
        kernel.output.name().find(filter) == std::string::npos &&
        group.output.find(filter) == std::string::npos) {
      continue;
    }
    text += fmt::format("// {} -> {}\n{}\n", kernel.label, group.output, Pipeline(kernel.output).emit(stage));
  }
  return text;
}

}  // namespace tensordsl

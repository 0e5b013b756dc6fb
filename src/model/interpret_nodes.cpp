#include "model/interpret_nodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/size_conversion.h"
#include "onnx/evaluate_node.h"
#include "onnx/shapes/assume_sizes.h"
#include "ops/loop_marks.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;
using ops::AssumedSize;
using ops::Node;

void check_input(const DefinedTensor& input, const std::map<std::string, Buffer>& inputs) {
  const auto value = inputs.find(input.name);
  if (value == inputs.end())
    throw Error(fmt::format("interpret: no value for the input \"{}\"; pass one with this name", input.name));
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape) shape.push_back(runtime::evaluate(extent, {}));
  if (value->second.type() == input.type() && value->second.shape() == shape) return;
  throw ShapeError(fmt::format("interpret: the input \"{}\" is {} [{}], but its value is {} [{}]", input.name,
                               to_string(input.type()), fmt::join(shape, ", "),
                               to_string(value->second.type()), fmt::join(value->second.shape(), ", ")));
}

/// Returns the counts, and the symbols of loops, as large as they may be.
ParamValues largest_counts(const DefinitionGraph& graph) {
  ParamValues values;
  const auto is_known = [&](const Expr& size) { return runtime::has_values(ir::to_size(size), values); };
  // A count may depend on the output of a loop, and a loop's steps on a count: repeats until nothing is
  // added.
  for (std::size_t before = 0, rounds = 0; rounds == 0 || values.size() > before; ++rounds) {
    before = values.size();
    for (const DefinitionGraph::Count& count : graph.counts) {
      if (is_known(count.bound)) values.insert_or_assign(count.param, runtime::evaluate(count.bound, values));
    }
    for (const DefinitionGraph::Loop& loop : graph.loops) {
      if (!is_known(loop.steps)) continue;
      for (const std::string& param : {loop.step, loop.taken})
        values.insert_or_assign(param, runtime::evaluate(loop.steps, values));
    }
  }
  return values;
}

/// Estimates the number of values computed for each tensor: its elements times the reduced extents.
std::map<std::string, double> work_of_tensors(const DefinitionGraph& graph) {
  const definitions::TensorFuncs funcs(graph);
  const ParamValues counts = largest_counts(graph);
  std::map<std::string, double> work;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
    double elements = 1, for_each_element = 0;
    for (const Expr& extent : graph.tensors[i].shape)
      elements *= static_cast<double>(runtime::evaluate(extent, counts));
    for (const Func& func : funcs.funcs_of(i)) {
      for (const ir::Definition& step : func.contents().definitions) {
        double points = 1;
        for (const ir::ReductionAxis& axis : step.domain)
          points *= static_cast<double>(
              std::max<std::int64_t>(ir::as_int(axis.extent) ? *ir::as_int(axis.extent) : 1, 1));
        for_each_element += points;
      }
    }
    work[graph.tensors[i].name] = elements * for_each_element;
  }
  return work;
}

/// Concatenates rows [1, ..].
Buffer whole_of(const std::vector<Buffer>& rows, const ops::TensorInfo& row) {
  std::vector<std::int64_t> shape = known(row.shape);
  shape[0] = static_cast<std::int64_t>(rows.size());
  Buffer whole(row.type, shape);
  auto to = whole.bytes().begin();
  for (const Buffer& one : rows) to = std::ranges::copy(one.bytes(), to).out;
  return whole;
}

class NodeInterpreter {
 public:
  NodeInterpreter(const std::vector<Node>& nodes, const DefinitionGraph& graph,
                  const std::function<void(int, int)>& progress)
      : nodes_(nodes), graph_(graph), progress_(progress), work_(work_of_tensors(graph)) {
    for (const auto& [name, of_tensor] : work_) total_ += of_tensor;
  }

  std::map<std::string, const Buffer*>& known() { return known_; }

  void run(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (nodes_[i].op == ops::kLoopBegin)
        i = run_loop(i);
      else
        run(nodes_[i]);
    }
  }

  /// Adds the outputs that no node computes: constants and inputs.
  void add_other_outputs() {
    for (const DefinitionGraph::Output& output : graph_.outputs) {
      const auto known = known_.find(graph_.tensors[output.tensor].name);
      if (known == known_.end() || values_.contains(output.name)) continue;
      const Buffer& value = *known->second;
      values_.emplace(output.name, output.read_as ? value.converted(*output.read_as) : value);
    }
  }

  std::map<std::string, Buffer> take() { return std::move(values_); }

 private:
  void run(Node node) {
    for (const AssumedSize& count : counts_) onnx::substitute(node, count);
    std::vector<const Buffer*> operands;
    for (const std::string& input : node.inputs)
      operands.push_back(input.empty() ? nullptr : known_.at(input));
    double of_node = 0;
    for (const std::string& output : node.outputs) of_node += work_.contains(output) ? work_.at(output) : 0;
    std::vector<Buffer> results = onnx::evaluate_with_progress(
        node, operands, [&](std::int64_t values_done, std::int64_t values_total) {
          constexpr int kSteps = 1000;
          const double share = static_cast<double>(values_done) / static_cast<double>(values_total);
          if (progress_)
            progress_(static_cast<int>(kSteps * std::min((done_ + share * of_node) / total_, 1.0)), kSteps);
        });
    done_ += of_node;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].empty()) give(node.outputs[i], std::move(results.at(i)));
    }
    for (const DefinitionGraph::Count& count : graph_.counts) {
      const std::string& holder = graph_.tensors[count.tensor].name;
      if (std::ranges::find(node.outputs, holder) != node.outputs.end())
        know(count.param, values_.at(holder).get_int(0));
    }
  }

  /// Runs the loop that begins at a node; returns the node that it ends at.
  std::size_t run_loop(std::size_t begin) {
    const Node& mark = nodes_[begin];
    const std::string step = mark.attributes.get<std::string>(ops::kLoopStep);
    std::size_t end = begin + 1;
    while (nodes_.at(end).op != ops::kLoopEnd ||
           nodes_[end].attributes.get<std::string>(ops::kLoopStep) != step)
      ++end;
    Node last = nodes_[end];
    for (const AssumedSize& count : counts_) onnx::substitute(last, count);
    const ops::LoopEndInputs at(last.attributes);
    const bool is_conditional = last.attributes.get<std::int64_t>(ops::kLoopIsConditional) != 0;
    for (std::size_t i = 0; i < at.carried; ++i) give(mark.outputs[i], *known_.at(mark.inputs[i]));
    std::vector<std::vector<Buffer>> rows(at.rows);
    const std::int64_t most = last.attributes.sizes(ops::kLoopSteps).at(0).value();
    std::int64_t taken = 0;
    for (bool goes_on = true; goes_on && taken < most; ++taken) {
      Buffer number(Int(64), {});
      number.set_int(0, taken);
      give(mark.outputs.back(), std::move(number));
      know(step, taken);
      run(begin + 1, end);
      for (std::size_t i = 0; i < at.rows; ++i) rows[i].push_back(*known_.at(last.inputs[at.row(i)]));
      if (is_conditional) goes_on = known_.at(last.inputs[at.condition()])->get(0) != 0;
      std::vector<Buffer> next;
      for (std::size_t i = 0; i < at.carried; ++i) next.push_back(*known_.at(last.inputs[at.next(i)]));
      for (std::size_t i = 0; i < at.carried; ++i) give(mark.outputs[i], std::move(next[i]));
    }
    if (is_conditional) know(last.attributes.get<std::string>(ops::kLoopTaken), taken);
    for (std::size_t i = 0; i < at.carried; ++i) give(last.outputs[i], values_.at(mark.outputs[i]));
    for (std::size_t i = 0; i < at.rows; ++i) give_rows(last.outputs[at.carried + i], rows[i]);
    return end;
  }

  void give_rows(const std::string& output, const std::vector<Buffer>& rows) {
    const auto found = std::ranges::find(graph_.tensors, output, &DefinedTensor::name);
    ops::Shape shape;
    for (const Expr& extent : found->shape)
      shape.push_back(shape.empty() ? 1 : runtime::evaluate(extent, largest_counts(graph_)));
    give(output, whole_of(rows, {output, found->type(), shape}));
  }

  void give(const std::string& tensor, Buffer value) {
    known_[tensor] = &(values_[tensor] = std::move(value));
  }

  void know(const std::string& symbol, std::int64_t value) {
    std::erase_if(counts_, [&](const AssumedSize& known) { return known.size == ops::Size::symbol(symbol); });
    counts_.push_back({ops::Size::symbol(symbol), value});
  }

  const std::vector<Node>& nodes_;
  const DefinitionGraph& graph_;
  const std::function<void(int, int)>& progress_;
  std::map<std::string, double> work_;
  double total_ = 0, done_ = 0;
  std::map<std::string, const Buffer*> known_;
  std::map<std::string, Buffer> values_;
  std::vector<AssumedSize> counts_;  // those that are known, and the steps of loops
};

}  // namespace

std::map<std::string, Buffer> interpret_nodes(const std::vector<Node>& nodes, const DefinitionGraph& graph,
                                              const std::map<std::string, Buffer>& inputs,
                                              const std::function<void(int, int)>& progress) {
  NodeInterpreter interpreter(nodes, graph, progress);
  std::map<std::string, const Buffer*>& known = interpreter.known();
  for (const std::size_t input : graph.inputs) {
    check_input(graph.tensors[input], inputs);
    known[graph.tensors[input].name] = &inputs.at(graph.tensors[input].name);
  }
  for (const DefinedTensor& tensor : graph.tensors) {
    if (tensor.constant) known[tensor.name] = tensor.constant.get();
  }
  interpreter.run(0, nodes.size());
  interpreter.add_other_outputs();
  return interpreter.take();
}

}  // namespace tensordsl

#include "apps/bench/operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "apps/bench/operator_peers.h"
#include "model/compile_options.h"
#include "model/constant_evaluator.h"
#include "onnx/define_graph.h"
#include "onnx/import_onnx.h"
#include "tensordsl/error.h"
#include "tune/autoschedule.h"

namespace tensordsl::bench {
namespace {

constexpr int kPeerRuns = 51;

/// A node by itself: what it reads are inputs and constants, what it gives is the output.
struct SingleOperator {
  Graph graph;
  std::string text;
};

std::string shape_text(const TensorInfo& info) { return to_string(info.shape); }

/// Nothing of a node that computes no numbers, as of shapes.
std::optional<SingleOperator> single_operator(const Graph& graph, const Node& node) {
  const TensorInfo& output = graph.info(node.outputs.at(0));
  if (!output.type.is_float()) return std::nullopt;
  SingleOperator result;
  Graph& own = result.graph;
  own.name = node.op;
  own.opset = graph.opset;
  own.nodes = {node};
  own.nodes[0].outputs.resize(1);
  std::vector<std::string> operands;
  for (const std::string& name : node.inputs) {
    if (name.empty()) continue;
    own.tensors.insert_or_assign(name, graph.info(name));
    if (graph.is_constant(name)) {
      own.constants.insert_or_assign(name, graph.constants.at(name));
    } else if (!own.is_input(name)) {
      own.inputs.push_back(name);
    }
    operands.push_back((graph.is_constant(name) ? "w:" : "x:") + shape_text(graph.info(name)));
  }
  if (own.inputs.empty()) return std::nullopt;
  own.outputs = {output.name};
  own.tensors.insert_or_assign(output.name, output);
  const std::string line = to_string(own, node);
  const std::size_t attributes = line.find('{');
  result.text = fmt::format("{} -> {}{}", fmt::join(operands, " "), shape_text(output),
                            attributes == std::string::npos ? "" : " " + line.substr(attributes));
  return result;
}

struct Needed {
  std::int64_t flops = 0;
  double floor_us = 0;
};

/// What an operator needs as it is defined: Winograd's way multiplies less.
Needed needed_by(const DefinitionGraph& graph, CompileTarget target) {
  target.optimizations.winograd = false;
  AutoscheduleOptions untimed;
  AutoscheduleReport report;
  tune::autoschedule(graph, options_of(target), profile_of(target), untimed, report);
  Needed needed;
  for (const AutoscheduledKernel& kernel : report.kernels) {
    needed.flops += kernel.flops * kernel.launches;
    needed.floor_us += kernel.floor_us * kernel.launches;
  }
  return needed;
}

OperatorResult measure(SingleOperator single, const CompileTarget& target, const OperatorOptions& options,
                       Device& device) {
  OperatorResult result;
  result.op = single.graph.name;
  result.text = single.text;
  try {
    AutoscheduleOptions choosing;
    choosing.trials_of_kernel = options.tries;
    choosing.device = &device;
    AutoscheduleReport report;
    const DefinitionGraph graph = define_graph(std::move(single.graph));
    tune::autoschedule(graph, options_of(target), profile_of(target), choosing, report);
    const Needed needed = needed_by(graph, target);
    result.flops = needed.flops;
    result.floor_us = needed.floor_us;
    bool is_timed = !report.kernels.empty();
    for (const AutoscheduledKernel& kernel : report.kernels) {
      is_timed = is_timed && kernel.us.has_value();
      result.us += kernel.us.value_or(0) * kernel.launches;
      result.strategy += (result.strategy.empty() ? "" : ", ") + kernel.strategy;
      for (const std::string& failure : kernel.failures) result.failure = failure;
    }
    if (!is_timed) result.us = 0;
  } catch (const Error& error) {
    result.failure = error.what();
  }
  return result;
}

}  // namespace

std::vector<OperatorResult> run_operators(const OperatorOptions& options, Device& device,
                                          const std::function<void(const OperatorResult&)>& told) {
  CompileTarget target;
  target.device = device.info();
  target.threads = options.threads;
  struct Named {
    SingleOperator single;
    std::string model;
  };
  std::vector<Named> found;
  std::vector<std::string> lines;
  std::set<std::string> known;
  for (const std::string& model : options.models) {
    ImportOptions importing;
    importing.random_weights = true;
    const ModelOptions loading;
    ConstantEvaluator evaluator(loading);
    importing.evaluate = [&](const Node& node, const std::vector<const Buffer*>& inputs) {
      return evaluator.evaluate(node, inputs);
    };
    const Graph graph = import_onnx(model, importing);
    for (const Node& node : graph.nodes) {
      if (!options.kinds.empty() && std::ranges::count(options.kinds, node.op) == 0) continue;
      auto single = single_operator(graph, node);
      if (!single || !known.insert(node.op + single->text).second) continue;
      lines.push_back(node.op + " " + single->text);
      found.push_back({std::move(*single), std::filesystem::path(model).stem().string()});
    }
  }
  OperatorPeer peer;
  if (options.peers) peer = measure_peer(lines, device.info(), kPeerRuns);
  if (!peer.failure.empty()) throw Error("--peers: " + peer.failure + "; or leave --peers out");
  std::vector<OperatorResult> results;
  for (std::size_t i = 0; i < found.size(); ++i) {
    results.push_back(measure(std::move(found[i].single), target, options, device));
    results.back().model = found[i].model;
    if (i < peer.us.size() && peer.us[i]) {
      results.back().peer = peer.name;
      results.back().peer_us = *peer.us[i];
    }
    told(results.back());
  }
  return results;
}

}  // namespace tensordsl::bench

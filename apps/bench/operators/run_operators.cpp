#include "apps/bench/operators/run_operators.h"

#include "apps/bench/operators/operator_peers.h"
#include "apps/bench/operators/single_operators.h"
#include "model/options_of_target.h"
#include "onnx/define_graph.h"
#include "tensordsl/error.h"
#include "tune/autoschedule_graph.h"

namespace tensordsl::bench {
namespace {

constexpr int kPeerRuns = 51;

struct Needed {
  std::int64_t flops = 0;
  double floor_us = 0;
};

/// Returns the work of an operator by its definition, without Winograd's algorithm, which multiplies less.
Needed needed_by(const definitions::DefinitionGraph& graph, CompileTarget target) {
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

std::vector<std::string> lines_of(const std::vector<SingleOperator>& operators) {
  std::vector<std::string> lines;
  for (const SingleOperator& single : operators) lines.push_back(single.graph.name + " " + single.text);
  return lines;
}

OperatorResult measure_operator(SingleOperator single, const CompileTarget& target,
                                const OperatorOptions& options, Device& device) {
  OperatorResult result;
  result.op = single.graph.name;
  result.text = single.text;
  result.model = single.model;
  try {
    AutoscheduleOptions choosing;
    choosing.trials_of_kernel = options.tries;
    choosing.device = &device;
    AutoscheduleReport report;
    const definitions::DefinitionGraph graph = define_graph(std::move(single.graph));
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
  std::vector<SingleOperator> found = single_operators(options.models, options.kinds);
  OperatorPeer peer;
  if (options.peers) peer = measure_peer(lines_of(found), device.info(), kPeerRuns);
  if (!peer.failure.empty()) throw Error("--peers: " + peer.failure + "; or drop --peers");
  std::vector<OperatorResult> results;
  for (std::size_t i = 0; i < found.size(); ++i) {
    results.push_back(measure_operator(std::move(found[i]), target, options, device));
    if (i < peer.us.size() && peer.us[i]) {
      results.back().peer = peer.name;
      results.back().peer_us = *peer.us[i];
    }
    told(results.back());
  }
  return results;
}

}  // namespace tensordsl::bench

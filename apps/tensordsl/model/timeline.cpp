#include "apps/tensordsl/model/timeline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

using nlohmann::ordered_json;
using std::chrono::duration_cast;
using std::chrono::nanoseconds;

constexpr int kProcess = 1, kHost = 1, kDevice = 2;

/// Names of threads, or of the process, are events too.
ordered_json name_event(const char* what, int thread, const std::string& name) {
  return {{"name", what}, {"ph", "M"}, {"pid", kProcess}, {"tid", thread}, {"args", {{"name", name}}}};
}

/// Times of the format are microseconds.
ordered_json complete_event(const std::string& name, const char* category, int thread, std::int64_t start_ns,
                            std::int64_t duration_ns) {
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"pid", kProcess},
          {"tid", thread},
          {"ts", static_cast<double>(start_ns) / 1e3},
          {"dur", static_cast<double>(duration_ns) / 1e3}};
}

/// Returns the bytes of the launch's tensors, each counted once.
std::int64_t tensor_bytes(const Program& program, const Program::Launch& launch, const ParamValues& params) {
  std::int64_t bytes = 0;
  for (const int index : std::set<int>(launch.tensors.begin(), launch.tensors.end())) {
    if (index < 0) continue;
    const Program::Tensor& tensor = program.tensors[static_cast<std::size_t>(index)];
    bytes += runtime::evaluate(tensor.elements, params) * tensor.stored.type.bytes();
  }
  return bytes;
}

ordered_json launch_arguments(const Program& program, const Program::Launch& launch,
                              const ParamValues& params) {
  const KernelSource& kernel = program.kernels[launch.kernel];
  ordered_json groups = ordered_json::array();
  for (const SizeExpr& extent : launch.groups) groups.push_back(runtime::evaluate(extent, params));
  ordered_json arguments{{"kernel", kernel.entry},
                         {"groups", groups},
                         {"group_size", kernel.launch.group_size},
                         {"tensor_bytes", tensor_bytes(program, launch, params)}};
  const std::int64_t flops = launch.flops > 0 ? launch.flops : kernel.resources.flops;
  if (flops > 0) arguments["flops"] = flops;
  return arguments;
}

}  // namespace

bool are_in_order(const std::vector<LaunchInterval>& launches) {
  std::int64_t before = 0;
  for (const LaunchInterval& launch : launches) {
    if (launch.end == 0) continue;
    if (launch.start < before || launch.end < launch.start) return false;
    before = launch.end;
  }
  return true;
}

std::string to_trace_events(const Timeline& timeline, const Program& program, const ParamValues& params) {
  ordered_json events = ordered_json::array();
  events.push_back(name_event("process_name", kHost, timeline.command));
  events.push_back(name_event("thread_name", kHost, "host"));
  events.push_back(name_event("thread_name", kDevice, timeline.device));
  const auto begin = timeline.phases.empty() ? timeline.launches_end : timeline.phases[0].begin;
  for (const HostPhase& phase : timeline.phases) {
    events.push_back(complete_event(phase.name, "host", kHost,
                                    duration_cast<nanoseconds>(phase.begin - begin).count(),
                                    duration_cast<nanoseconds>(phase.end - phase.begin).count()));
  }
  std::int64_t last = 0;
  for (const LaunchInterval& launch : timeline.launches) last = std::max(last, launch.end);
  const std::int64_t offset = duration_cast<nanoseconds>(timeline.launches_end - begin).count() - last;
  // An empty launch has no time of its own; it is placed at the end of the one before it.
  std::int64_t before = last;
  for (const LaunchInterval& launch : timeline.launches)
    if (launch.end > 0) before = std::min(before, launch.start);
  for (std::size_t i = 0; i < timeline.launches.size(); ++i) {
    const Program::Launch& launch = program.launches[i];
    LaunchInterval interval = timeline.launches[i];
    if (interval.end == 0) interval = {before, before};
    before = interval.end;
    const std::string& entry = program.kernels[launch.kernel].entry;
    ordered_json event = complete_event(launch.label.empty() ? entry : launch.label, "kernel", kDevice,
                                        interval.start + offset, interval.end - interval.start);
    event["args"] = launch_arguments(program, launch, params);
    events.push_back(std::move(event));
  }
  const ordered_json trace{{"displayTimeUnit", "ms"},
                           {"otherData", {{"version", std::string("tensordsl ") + version()}}},
                           {"traceEvents", std::move(events)}};
  return dump_json(trace, 1, InvalidUtf8::Replace) + "\n";
}

}  // namespace tensordsl::cli

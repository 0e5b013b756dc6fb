#include "backends/cuda_graphs/graph_recording.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>

#include "runtime/device/check_launch.h"
#include "tensordsl/error.h"

namespace tensordsl::cuda {
namespace {

class SessionOwner final : public runtime::LaunchOwner {
 public:
  SessionOwner(const Session* session, std::int64_t alignment) : session_(session), alignment_(alignment) {}

  bool owns(const DeviceKernel& kernel) const override {
    const auto* own = dynamic_cast<const CudaKernel*>(&kernel);
    return own != nullptr && own->session.get() == session_;
  }
  bool owns(const DeviceImage&) const override { return false; }
  std::optional<std::int64_t> alignment_of(const DeviceBuffer& buffer) const override {
    const auto* own = dynamic_cast<const CudaBuffer*>(&buffer);
    return own != nullptr && own->session.get() == session_ ? std::optional(alignment_) : std::nullopt;
  }

 private:
  const Session* session_;
  std::int64_t alignment_;
};

/// CUDA counts fewer work-groups than OpenCL beyond the first dimension.
void check_grid(const Launch& launch) {
  constexpr std::int64_t kMost = 65535;
  for (std::size_t d = 1; d < 3; ++d) {
    if (launch.groups[d] <= kMost) continue;
    throw DeviceError(
        fmt::format("kernel {}: {} work-groups in dimension {} exceed CUDA's limit of {}; give the first "
                    "dimension of gpu_blocks the longest loop",
                    launch.kernel->source().entry, launch.groups[d], d, kMost));
  }
}

/// A launch with its arguments where CUDA copies them from.
class Step {
 public:
  explicit Step(Launch launch) : launch_(std::move(launch)), values_(launch_.arguments.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::visit(
          [&]<typename T>(const T& value) {
            if constexpr (std::is_same_v<T, std::shared_ptr<DeviceBuffer>>) {
              put(i, static_cast<const CudaBuffer&>(*value).address);
            } else if constexpr (!std::is_same_v<T, std::shared_ptr<DeviceImage>>) {
              put(i, value);
            }
          },
          launch_.arguments[i]);
    }
  }

  const std::string& name() const { return launch_.kernel->source().entry; }
  bool waits() const { return static_cast<const CudaKernel&>(*launch_.kernel).module->waits(); }
  bool is_empty() const { return launch_.groups[0] == 0 || launch_.groups[1] == 0 || launch_.groups[2] == 0; }
  /// Returns a node. Its `arguments` are filled, and must live as long as the node.
  KernelNode node(std::vector<void*>& arguments) {
    arguments.clear();
    for (auto& value : values_) arguments.push_back(value.data());
    const auto& kernel = static_cast<const CudaKernel&>(*launch_.kernel);
    const std::array<int, 3>& group = kernel.kernel_source.launch.group_size;
    const auto count = [](std::int64_t n) { return static_cast<unsigned>(n); };
    return {kernel.function,          count(launch_.groups[0]),
            count(launch_.groups[1]), count(launch_.groups[2]),
            count(group[0]),          count(group[1]),
            count(group[2]),          0,
            arguments.data(),         nullptr};
  }

 private:
  static constexpr std::size_t kLargest = 8;  // bytes of an argument

  template <typename T>
  void put(std::size_t i, const T& value) {
    static_assert(sizeof value <= kLargest);
    std::memcpy(values_[i].data(), &value, sizeof value);
  }

  Launch launch_;  // keeps the buffers alive
  std::vector<std::array<std::byte, kLargest>> values_;
};

class GraphRecording final : public Recording {
 public:
  GraphRecording(std::shared_ptr<const Session> session, std::vector<Step> steps)
      : session_(std::move(session)), steps_(std::move(steps)) {
    const Library& library = session_->enter();
    GraphHandle graph = nullptr;
    library.check(library.create_graph(&graph, 0), "cuGraphCreate");
    const std::unique_ptr<CUgraph_st, Status (*)(GraphHandle)> owned(graph, library.destroy_graph);
    GraphNodeHandle last = nullptr;
    std::vector<void*> arguments;
    for (Step& step : steps_) {
      if (step.is_empty()) continue;
      const KernelNode node = step.node(arguments);
      const bool waits = last != nullptr && step.waits() && library.add_edges;
      GraphNodeHandle added = nullptr;
      library.check(library.add_kernel(&added, graph, &last, last == nullptr || waits ? 0 : 1, &node),
                    "cuGraphAddKernelNode", step.name());
      if (waits) add_edge(library, graph, last, added);
      last = added;
    }
    if (last != nullptr) library.check(library.instantiate(&exec_, graph, 0), "cuGraphInstantiate");
  }
  GraphRecording(const GraphRecording&) = delete;
  GraphRecording& operator=(const GraphRecording&) = delete;

  ~GraphRecording() override {
    if (exec_ == nullptr) return;
    try {
      const Library& library = session_->enter();
      library.synchronize(session_->stream());  // queued work must not outlive the buffers it uses
      library.destroy_exec(exec_);
    } catch (const std::exception&) {
      return;  // a context that a kernel has broken has no objects left
    }
  }

  void start() override {
    if (exec_ == nullptr) return;
    const Library& library = session_->enter();
    library.check(library.launch_graph(exec_, session_->stream()), "cuGraphLaunch", all());
  }

  void wait(Waiting waiting) override { session_->wait(waiting, all()); }

  /// A graph has no times of its nodes: the launches one by one, between events.
  std::vector<LaunchInterval> replay_intervals() override {
    const Library& library = session_->enter();
    const std::vector<Event> events = make_events(library, 2 * steps_.size() + 1);
    const StreamHandle stream = session_->stream();
    const auto mark = [&](std::size_t i) {
      library.check(library.record_event(events[i].get(), stream), "cuEventRecord");
    };
    std::vector<void*> arguments;
    mark(0);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      mark(2 * i + 1);
      if (!steps_[i].is_empty()) {
        const KernelNode n = steps_[i].node(arguments);
        library.check(library.launch(n.function, n.grid_x, n.grid_y, n.grid_z, n.block_x, n.block_y,
                                     n.block_z, n.shared_bytes, stream, n.arguments, n.extra),
                      "cuLaunchKernel", steps_[i].name());
      }
      mark(2 * i + 2);
    }
    wait(Waiting::Driver);
    const auto nanoseconds = [&](std::size_t i) {
      float ms = 0;
      library.check(library.elapsed_ms(&ms, events[0].get(), events[i].get()), "cuEventElapsedTime");
      return std::llround(ms * 1e6);
    };
    std::vector<LaunchInterval> intervals;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const bool is_empty = steps_[i].is_empty();
      intervals.push_back(is_empty ? LaunchInterval{}
                                   : LaunchInterval{nanoseconds(2 * i + 1), nanoseconds(2 * i + 2)});
    }
    return intervals;
  }

 private:
  /// A driver that knows the call may still refuse such edges, as of another device.
  static void add_edge(const Library& library, GraphHandle graph, GraphNodeHandle from, GraphNodeHandle to) {
    const GraphEdge early, plain{.from_port = 0, .to_port = 0, .type = 0};
    if (library.add_edges(graph, &from, &to, &early, 1) == 0) return;
    library.check(library.add_edges(graph, &from, &to, &plain, 1), "cuGraphAddDependencies");
  }

  using Event = std::unique_ptr<CUevent_st, Status (*)(EventHandle)>;

  static std::vector<Event> make_events(const Library& library, std::size_t count) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < count; ++i) {
      EventHandle event = nullptr;
      library.check(library.create_event(&event, 0), "cuEventCreate");
      events.emplace_back(event, library.destroy_event);
    }
    return events;
  }

  /// A kernel that fails while it runs is known only as one of those launched.
  std::string all() const {
    return steps_.empty() ? "" : "among " + steps_.front().name() + " .. " + steps_.back().name();
  }

  std::shared_ptr<const Session> session_;
  std::vector<Step> steps_;
  GraphExecHandle exec_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> record_graph(std::shared_ptr<const Session> session, std::vector<Launch> launches,
                                        std::int64_t alignment) {
  const SessionOwner owner(session.get(), alignment);
  std::vector<Step> steps;
  for (Launch& launch : launches) {
    runtime::check_launch(launch, owner);
    check_grid(launch);
    steps.emplace_back(std::move(launch));
  }
  return std::make_unique<GraphRecording>(std::move(session), std::move(steps));
}

}  // namespace tensordsl::cuda

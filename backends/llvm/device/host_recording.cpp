#include "backends/llvm/device/host_recording.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "backends/llvm/emit/emit_llvm.h"
#include "base/address_alignment.h"
#include "runtime/device/check_launch.h"

namespace tensordsl::host {
namespace {

class SessionOwner final : public runtime::LaunchOwner {
 public:
  SessionOwner(const Session& session, std::int64_t alignment) : session_(session), alignment_(alignment) {}

  bool owns(const DeviceKernel& kernel) const override {
    return is_own(dynamic_cast<const HostKernel*>(&kernel));
  }
  bool owns(const DeviceImage& image) const override {
    return is_own(dynamic_cast<const HostImage*>(&image));
  }
  std::optional<std::int64_t> alignment_of(const DeviceBuffer& buffer) const override {
    if (!is_own(dynamic_cast<const HostBuffer*>(&buffer))) return std::nullopt;
    const std::byte* data = static_cast<const HostBuffer&>(buffer).data.get();
    return data == nullptr ? alignment_ : address_alignment(data);
  }

 private:
  template <typename T>
  bool is_own(const T* object) const {
    return object != nullptr && object->session.get() == &session_;
  }

  const Session& session_;
  std::int64_t alignment_;
};

/// A launch with its arguments as kernels take them.
struct Step {
  Launch launch;  // keeps the memory and the code
  std::vector<std::uint64_t> slots;
  std::int64_t groups = 0;

  explicit Step(Launch from) : launch(std::move(from)) {
    for (const KernelArgumentValue& argument : launch.arguments)
      std::visit([&](const auto& v) { add(v); }, argument);
    groups = launch.groups[0] * launch.groups[1] * launch.groups[2];
    slots.push_back(static_cast<std::uint64_t>(launch.groups[0]));
    slots.push_back(static_cast<std::uint64_t>(launch.groups[1]));
  }

 private:
  void add(const std::shared_ptr<DeviceBuffer>& buffer) {
    slots.push_back(reinterpret_cast<std::uintptr_t>(static_cast<const HostBuffer&>(*buffer).data.get()));
  }
  void add(const std::shared_ptr<DeviceImage>& image) {
    const auto& own = static_cast<const HostImage&>(*image);
    slots.push_back(reinterpret_cast<std::uintptr_t>(own.data.get()));
    for (const std::int64_t extent : {own.what.width, own.what.height, own.what.layers})
      slots.push_back(static_cast<std::uint64_t>(extent));
  }
  template <typename Number>
  void add(Number number) {
    std::uint64_t slot = 0;
    std::memcpy(&slot, &number, sizeof number);
    slots.push_back(slot);
  }
};

class HostRecording final : public Recording {
 public:
  HostRecording(std::shared_ptr<HostQueue> queue, std::vector<Step> steps)
      : queue_(std::move(queue)), steps_(std::move(steps)) {}
  /// Jobs hold no object of the program, so that these are destroyed here, in the program's thread, and no
  /// worker waits for their locks.
  ~HostRecording() override { queue_->wait(); }

  void start() override { queue_->start(job({})); }
  void wait(Waiting) override { queue_->wait(); }

  std::vector<LaunchInterval> replay_intervals() override {
    std::vector<LaunchInterval> intervals(steps_.size());
    queue_->start(job(intervals));
    queue_->wait();
    return intervals;
  }

 private:
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::shared_ptr<Job> job(std::span<LaunchInterval> intervals) const {
    // Pieces of unlike work still end at about the same time.
    constexpr std::int64_t kPiecesOfThread = 8;
    std::vector<Job::Step> steps;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const EntryFunction entry = static_cast<const HostKernel&>(*step.launch.kernel).code->entry();
      Job::Step piece{
          .pieces = step.groups,
          .at_once = std::max<std::int64_t>(1, step.groups / (queue_->thread_count() * kPiecesOfThread)),
          .run = [entry, slots = step.slots.data()](std::int64_t first, std::int64_t last) {
            entry(slots, first, last);
          }};
      if (!intervals.empty()) {
        piece.on_edge = [&interval = intervals[i]](bool is_end) {
          (is_end ? interval.end : interval.start) = now();
        };
      }
      steps.push_back(std::move(piece));
    }
    return std::make_shared<Job>(std::move(steps));
  }

  std::shared_ptr<HostQueue> queue_;
  const std::vector<Step> steps_;
};

}  // namespace

std::unique_ptr<Recording> record_launches(std::shared_ptr<const Session> session,
                                           std::shared_ptr<HostQueue> queue, std::vector<Launch> launches,
                                           std::int64_t buffer_alignment) {
  std::vector<Step> steps;
  for (Launch& launch : launches) {
    runtime::check_launch(launch, SessionOwner(*session, buffer_alignment));
    steps.emplace_back(std::move(launch));
  }
  return std::make_unique<HostRecording>(std::move(queue), std::move(steps));
}

}  // namespace tensordsl::host

// Measures in a separate process: a program that crashes the driver costs one candidate.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "measure/child_process.h"
#include "measure/measurer.h"
#include "measure/worker_protocol.h"

namespace tensordsl::measure {

struct WorkerOptions {
  /// The program to start, which speaks worker_protocol.h.
  std::vector<std::string> command;
  /// The time after which a silent worker is considered hanging and is ended.
  std::chrono::milliseconds silence{60'000};
};

/// For one thread at a time.
class WorkerMeasurer final : public Measurer {
 public:
  /// Starts a worker. Throws Error with the worker's message if it cannot start.
  explicit WorkerMeasurer(WorkerOptions options);

  /// Returns the device that the worker runs on.
  const records::DeviceKey& device() const { return device_; }
  /// Starts another worker where one has ended. A program that does so in a build with others is found by
  /// building them one by one.
  using Measurer::measure;
  std::vector<Measured> measure(const Request& request, const MeasureHooks& hooks) override;

 private:
  struct Reply;

  void start();
  Reply ask(const Order& order, const MeasureHooks& hooks);
  ChildProcess::Outcome read_line(std::string& line, const MeasureHooks& hooks);
  ChildProcess& worker();

  WorkerOptions options_;
  records::DeviceKey device_;
  std::unique_ptr<ChildProcess> process_;  // null: it must be started
  std::int64_t last_id_ = 0;
};

}  // namespace tensordsl::measure

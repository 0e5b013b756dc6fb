// A measuring worker: reads requests, measures, writes the answers.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "measure/worker_measurer.h"
#include "records/tuning_record.h"
#include "tensordsl/device.h"

namespace tensordsl::measure {

/// The input of orders and the output of answers.
struct WorkerLines {
  /// The next line; false at the end.
  std::function<bool(std::string& line)> read;
  /// Written at once, with its end.
  std::function<void(const std::string& line)> write;
};

/// Serves until the orders end or the device is lost. `open` returns the device; its error becomes the
/// worker's answer.
void serve_worker(const WorkerLines& lines, const std::function<std::shared_ptr<Device>()>& open);

/// Executes orders like serve_worker(), but in a child worker, and starts another one when it ends.
void serve_isolated(const WorkerLines& lines, const std::function<std::unique_ptr<WorkerMeasurer>()>& start);

/// Returns the key of a device that this library makes kernels for.
records::DeviceKey key_of(const DeviceInfo& device);

}  // namespace tensordsl::measure

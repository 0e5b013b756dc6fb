#include "measure/serve_worker.h"

#include <fmt/format.h>

#include "measure/worker_protocol.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::measure {
namespace {

/// True if the worker can continue.
bool serve(const Order& order, const WorkerLines& lines, Device& device) {
  Timing timing;
  timing.one_by_one = order.one_by_one;
  timing.progress = [&](std::size_t program, const char* doing) {
    lines.write(to_line(At{order.id, program, doing}));
  };
  const Answer answer{order.id, measure_candidates(order.request, device, timing)};
  lines.write(to_line(answer));
  return !answer.timed.is_device_lost;
}

}  // namespace

records::DeviceKey key_of(const DeviceInfo& device) {
  return {fmt::format("{} / {}", device.platform, device.name), device.driver, version()};
}

void serve_worker(const WorkerLines& lines, const std::function<std::shared_ptr<Device>()>& open) {
  try {
    const std::shared_ptr<Device> device = open();
    lines.write(to_line(Hello{kProtocol, key_of(device->info())}));
    for (std::string line; lines.read(line);) {
      if (!serve(order_from_line(line), lines, *device)) return;
    }
  } catch (const Error& error) {
    lines.write(to_line(WorkerError{error.what()}));
  }
}

void serve_isolated(const WorkerLines& lines, const std::function<std::unique_ptr<WorkerMeasurer>()>& start) {
  try {
    const std::unique_ptr<WorkerMeasurer> measurer = start();
    lines.write(to_line(Hello{kProtocol, measurer->device()}));
    for (std::string line; lines.read(line);) {
      const Order order = order_from_line(line);
      lines.write(to_line(Answer{order.id, {measurer->measure(order.request), false}}));
    }
  } catch (const Error& error) {
    lines.write(to_line(WorkerError{error.what()}));
  }
}

}  // namespace tensordsl::measure

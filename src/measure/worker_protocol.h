// The protocol of a tuner and its measuring workers: a JSON object on a line of its own, each way.
//
// A worker begins with its identity:
//   {"hello": {"protocol": 1, "library": "0.1.0", "device": "..", "driver": ".."}}
// or the reason why it cannot work, and ends:
//   {"error": "no OpenCL device"}
// A request has an id, the programs (program.json with the kernels' texts; null: none), and the expected
// results:
//   {"measure": {"id": 1, "one_by_one": false, "programs": [{"program": {..}, "texts": [".."]}, null],
//                "expected": {"tolerance": 1e-4, "elements": [[output, element, value], ..]},
//                "between": null}}
// During its work the worker reports its current step, so that the tuner knows that it is alive, and which
// step it did not survive:
//   {"at": {"id": 1, "program": 0, "doing": "building"}}
// and at the end the result of each program; "lost": the device failed, and the worker ends:
//   {"measured": {"id": 1, "lost": false, "programs": [{"us": 12.5}, {"failure": "..", "wrong": true}, {}]}}
// A worker ends when its input does. Lines of any other form are errors of their writer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "measure/measure_candidates.h"
#include "measure/measurer.h"
#include "records/tuning_record.h"

namespace tensordsl::measure {

constexpr int kProtocol = 1;

struct Hello {
  int protocol = kProtocol;
  records::DeviceKey device;
};

/// A message to a worker.
struct Order {
  std::int64_t id = 0;
  bool one_by_one = false;
  Request request;
};

/// A message from a worker.
struct WorkerError {
  std::string what;
};
struct At {
  std::int64_t id = 0;
  std::size_t program = 0;
  std::string doing;
};
struct Answer {
  std::int64_t id = 0;
  TimedPrograms timed;
};
using WorkerMessage = std::variant<Hello, WorkerError, At, Answer>;

/// Returns a message as one line, without the line end.
std::string to_line(const Order& order);
std::string to_line(const WorkerMessage& message);

/// Throw ParseError.
Order order_from_line(std::string_view line);
WorkerMessage message_from_line(std::string_view line);

}  // namespace tensordsl::measure

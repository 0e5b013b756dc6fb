// The protocol of a tuner and its measuring workers: a JSON object on a line of its own, each way.
//
// A worker begins with who it is:
//   {"hello": {"protocol": 1, "library": "0.1.0", "device": "..", "driver": ".."}}
// or why it cannot be one, and ends:
//   {"error": "no OpenCL device"}
// A request has an id, the programs (program.json with the kernels' texts beside it; null: none), and what
// they are to compute:
//   {"measure": {"id": 1, "one_by_one": false, "programs": [{"program": {..}, "texts": [".."]}, null],
//                "expected": {"tolerance": 1e-4, "elements": [[output, element, value], ..]},
//                "between": null}}
// While it works the worker says what it is at, so that whoever waits knows that it lives, and what it did
// not survive:
//   {"at": {"id": 1, "program": 0, "doing": "building"}}
// and at last what became of each program; "lost": the device failed, and the worker ends:
//   {"measured": {"id": 1, "lost": false, "programs": [{"us": 12.5}, {"failure": "..", "wrong": true}, {}]}}
// A worker ends when its input does. Lines that are no such objects are errors of whoever wrote them.
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

/// Each is one line, without its end.
std::string to_line(const Order& order);
std::string to_line(const WorkerMessage& message);

/// Throw ParseError.
Order order_from_line(std::string_view line);
WorkerMessage message_from_line(std::string_view line);

}  // namespace tensordsl::measure

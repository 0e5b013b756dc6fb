// Something that times kernels: this process, or others on this machine or elsewhere.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/check_outputs.h"
#include "tensordsl/program.h"

namespace tensordsl::measure {

/// Programs that compute the same from inputs of the same names.
struct Request {
  /// The programs to time; null ones are skipped. The first is the reference of the others and is timed to
  /// the end.
  std::vector<std::shared_ptr<const Program>> programs;
  ExpectedOutputs expected;
  /// A program that runs before each timed run, so that caches are as in a network, full of other data. Null:
  /// none.
  std::shared_ptr<const Program> between = nullptr;
};

/// The result of one of them.
struct Measured {
  std::optional<double> us{};  ///< median of the device's own times; none if it failed, or was not run
  std::string failure{};       ///< the driver's message, or the fault of the result
  bool is_wrong = false;       ///< true if it ran, and computed something else
  friend bool operator==(const Measured&, const Measured&) = default;
};

/// Called during measure(), on the caller's thread.
struct MeasureHooks {
  /// Returns true if the results are not wanted any more, and keeps doing so. Candidates without a result get
  /// neither a time nor a failure. Called a few times in a second while a worker measures; else between
  /// programs.
  std::function<bool()> should_stop{};
  /// A program has failed: that is certain before the others have run.
  std::function<void(std::size_t program, const Measured& failure)> failed{};

  bool stops() const { return should_stop && should_stop(); }
};

class Measurer {
 public:
  virtual ~Measurer() = default;
  /// Measures the programs and returns a result for each. A program that crashes or hangs its process gets a
  /// result whose failure says so. Throws Error if nothing can be measured any more, because no worker
  /// starts.
  virtual std::vector<Measured> measure(const Request& request, const MeasureHooks& hooks) = 0;
  std::vector<Measured> measure(const Request& request) { return measure(request, {}); }
  /// Returns the number of calls of measure() that are useful at once, from as many threads.
  virtual int at_once() const { return 1; }
};

}  // namespace tensordsl::measure

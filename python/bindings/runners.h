// A Runner with arrays of NumPy.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/arguments.h"
#include "python/bindings/arrays.h"
#include "tensordsl/runner.h"

namespace tensordsl::python {

/// An input or output whose memory is an array's.
struct BoundArray {
  HostArray array;
  bool is_input = false;
};

struct ArrayRunner {
  explicit ArrayRunner(std::unique_ptr<Runner> made) : runner(std::move(made)) {}
  ArrayRunner(ArrayRunner&&) = default;
  ArrayRunner& operator=(ArrayRunner&&) = delete;
  /// Releases Python's lock: the destructor may have to wait for the device.
  ~ArrayRunner();

  std::unique_ptr<Runner> runner;
  std::map<std::string, BoundArray> bound;
  std::unique_ptr<std::atomic_flag> in_use = std::make_unique<std::atomic_flag>();
};

/// Runs once: binds the inputs that need no copy, writes the rest, and returns the outputs in order. Nothing
/// stays bound.
std::vector<nb::object> run_once(std::unique_ptr<Runner> runner, nb::handle inputs);

}  // namespace tensordsl::python

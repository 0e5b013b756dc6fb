// A Runner with arrays of NumPy.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "python/bindings/arrays.h"
#include "tensordsl/runner.h"

namespace tensordsl::python {

/// An input or output whose memory is an array's.
struct BoundArray {
  HostArray array;
  bool is_input = false;
};

struct ArrayRunner {
  std::unique_ptr<Runner> runner;
  std::map<std::string, BoundArray> bound;
};

/// Numbers by the names of Params.
ParamValues params_of(const nb::dict& params);

/// Binds what needs no copy, writes the rest, runs, and gives the outputs in order. Nothing stays bound.
std::vector<nb::object> run_once(std::unique_ptr<Runner> runner, const nb::dict& inputs);

}  // namespace tensordsl::python

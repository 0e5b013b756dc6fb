// Compares lowered kernels, simulated on the host, with their definitions.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {

/// The simulator gives what the interpreter gives. The IR is verified after each pass.
inline void check_result(const Func& f, const std::map<std::string, Buffer>& inputs,
                         const std::vector<std::int64_t>& shape) {
  const Buffer expected = runtime::interpret(f.shared(), shape, {inputs, {}});
  lower::LowerOptions options;
  options.verify = true;
  const Buffer found = simulate(lower::lower(f.shared(), options), inputs, {});
  for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get(i) == expected.get(i));
}

}  // namespace tensordsl

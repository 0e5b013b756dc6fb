// The reference: evaluates definitions directly, with no schedule and no OpenCL. Every kernel is compared
// with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "runtime/host/tracing.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl::runtime {

struct InterpretArguments {
  std::map<std::string, Buffer> inputs;  // values by the Input's name, in its logical shape, row-major
  ParamValues params;                    // values by the Param's name
  Tracing tracing = {};
  /// Called now and then with how many values of Funcs are computed, and how many there are.
  std::function<void(std::int64_t done, std::int64_t total)> progress = nullptr;
};

/// Returns the output, whose values are not tuples, over [0, shape); operators and casts computed as
/// ir/operations/operations.h says: a cast to f16 rounds, integers wrap, x/0 is 0. Throws DefinitionError
/// on a read outside an Input or a broken promise, Error on a missing Input or Param, ShapeError on an
/// Input of another type or shape.
Buffer interpret(const ir::FunctionPtr& output, const std::vector<std::int64_t>& shape,
                 const InterpretArguments& arguments);
/// Computes several outputs, each over its shape: a Buffer for each, and for each component of a tuple.
std::vector<Buffer> interpret(const std::vector<ir::FunctionPtr>& outputs,
                              const std::vector<std::vector<std::int64_t>>& shapes,
                              const InterpretArguments& arguments);

}  // namespace tensordsl::runtime

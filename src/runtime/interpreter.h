// The reference: evaluates definitions as they are written, with no schedule and no OpenCL. Every kernel is
// compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/function.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl {

struct InterpretArguments {
  std::map<std::string, Buffer> inputs;  // by the Input's name, in its logical shape, row-major
  ParamValues params;                    // by the Param's name
};

/// The output over [0, shape). Arithmetic on f16 is done in f32; a cast to f16 rounds to nearest even, and what a
/// Func of type f16 holds is such a cast. f32 arithmetic is done in float, integers wrap, x/0 is 0. Throws DefinitionError on a read outside an
/// Input, a missing input, or one of another type or shape.
Buffer interpret(const ir::FunctionPtr& output, const std::vector<std::int64_t>& shape,
                 const InterpretArguments& arguments);

}  // namespace tensordsl

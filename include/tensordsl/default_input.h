// Default values of inputs.
#pragma once

#include "tensordsl/buffer.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// Returns the value of an input that is not given, a pure function of its name, type and shape: u in [-1, 1)
/// for floats, (u + 1) * 500 truncated for integers, (u + 1) * 50 for those of 8 bits, u >= 0 for bool;
/// models/README.md has the formula of u. Throws Error if the shape depends on a Param.
Buffer default_input(const Program::Value& input);

}  // namespace tensordsl

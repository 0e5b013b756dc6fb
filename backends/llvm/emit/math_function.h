// Math functions that LLVM has no instructions for. Kernels call them by names of their own,
// "math.exp.v8f32", and the device that runs a kernel defines those.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tensordsl/type.h"

namespace tensordsl::llvm_ir {

struct MathFunction {
  std::string name;  // name of an intrinsic of ir/operations/intrinsics.h, which C has by the same name
  Type type;         // type of the operands and of the result: f32 or f64, scalars or vectors
};

std::string symbol_of(const MathFunction& function);
/// Returns the function of a symbol; empty if the symbol names none.
std::optional<MathFunction> math_function_of(std::string_view symbol);
/// True if kernels call it.
bool is_math_function(std::string_view intrinsic);
int operands_of_math_function(std::string_view name);

}  // namespace tensordsl::llvm_ir

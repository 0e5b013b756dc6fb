// Names of types and constants in OpenCL C.
#pragma once

#include <string>

#include "ir/nodes/expr_node.h"
#include "lower/lowered.h"
#include "tensordsl/type.h"

namespace tensordsl::opencl {

/// Returns the type of a value in a register: f16 is held as float, a scalar bool as bool, a vector of bools
/// as an int vector of 0, -1.
std::string value_type(Type type);
/// Returns the type of an element in memory: "uchar" for bool; for f16 "half" in kernels with arithmetic on
/// it, else its bits, "ushort".
std::string memory_type(Type type, bool half_arithmetic);
/// Returns "__global const", "__global" or "__constant".
std::string address_space(const lower::BufferArgument& buffer);
std::string constant(const ir::ExprNode& imm);
/// True for names that an identifier must not have: keywords, types, macros, and functions that kernels call.
bool is_reserved(const std::string& name);

}  // namespace tensordsl::opencl

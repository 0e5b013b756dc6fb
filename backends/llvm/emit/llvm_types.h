// Names of types and constants in LLVM's assembly language.
#pragma once

#include <string>

#include "ir/nodes/expr_node.h"
#include "tensordsl/type.h"

namespace tensordsl::llvm_ir {

/// Returns the type of a value in a register: "<4 x float>". f16 is held as float unless the kernel computes
/// in f16; a bool is i1.
std::string value_type(Type type, bool half_arithmetic);
/// Elements in memory: "<4 x half>"; a bool is a byte.
std::string memory_type(Type type);
/// Returns a scalar constant: "42", "true", "0x3FF0000000000000".
std::string constant(const ir::ExprNode& imm, bool half_arithmetic);
/// Returns the suffix of an intrinsic's name for a type of values: "v4f32", "i32".
std::string suffix(Type type, bool half_arithmetic);
/// Returns "%name", in quotation marks if it has other characters than words have.
std::string identifier(char sigil, const std::string& name);

inline bool is_half(Type type) { return type.is_float() && type.bits == 16; }
/// Bools are, too: their values are 0 and 1.
inline bool is_unsigned(Type type) { return type.is_uint() || type.is_bool(); }

}  // namespace tensordsl::llvm_ir

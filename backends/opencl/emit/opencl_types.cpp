#include "backends/opencl/emit/opencl_types.h"

#include <fmt/format.h>

#include <cmath>

#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

std::string scalar_name(Type type) {
  if (type.is_float()) return "float";
  if (type.is_bool()) return type.lanes == 1 ? "bool" : "int";
  switch (type.bits) {
    case 8: return type.is_uint() ? "uchar" : "char";
    case 32: return "int";
    case 64: return "long";
    default: throw InternalError("OpenCL: unsupported type");
  }
}

}  // namespace

std::string value_type(Type type) {
  const std::string name = scalar_name(type);
  return type.lanes == 1 ? name : fmt::format("{}{}", name, type.lanes);
}

std::string memory_type(Type type) {
  if (type.is_float() && type.bits == 16) return "half";
  return type.is_bool() ? "uchar" : scalar_name(type.element());
}

std::string constant(const ir::ExprNode& imm) {
  if (imm.kind == ir::ExprKind::IntImm) {
    if (imm.type.is_bool()) return imm.value ? "true" : "false";
    if (imm.type.bits == 64) {
      return imm.value == INT64_MIN ? "(-9223372036854775807L - 1)" : fmt::format("{}L", imm.value);
    }
    if (imm.value == INT32_MIN) return "(-2147483647 - 1)";
    return imm.type.bits == 8 ? fmt::format("({}){}", scalar_name(imm.type), imm.value) : fmt::format("{}", imm.value);
  }
  if (std::isnan(imm.number)) return "NAN";
  if (std::isinf(imm.number)) return imm.number < 0 ? "-INFINITY" : "INFINITY";
  std::string digits = fmt::format("{}", static_cast<float>(imm.number));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits + "f";
}

std::set<std::string> reserved_words() {
  std::set<std::string> words = {"auto",    "bool",     "break",    "case",     "char",      "complex",  "const",      "constant", "continue",
          "default", "do",       "double",   "else",     "enum",      "event_t",  "extern",     "false",    "float",
          "for",     "global",   "goto",     "half",     "if",        "image2d_t", "imaginary", "inline",   "int",
          "kernel",  "local",    "long",     "private",  "quad",      "read_only", "read_write", "register", "restrict",
          "return",  "sampler_t", "short",   "signed",   "size_t",    "sizeof",   "static",     "struct",   "switch",
          "true",    "typedef",  "uchar",    "uint",     "ulong",     "union",    "unsigned",   "ushort",   "void",
          "volatile", "while",   "write_only", "M_PI",   "INFINITY",  "NAN",      "NULL",       "pipe",     "generic",
          // built-in functions that kernels call
          "abs", "ceil", "cos", "convert", "erf", "exp", "fabs", "floor", "fma", "log", "mad", "max", "min", "pow",
          "rint", "rsqrt", "select", "sin", "sqrt", "tanh", "barrier", "get_group_id", "get_local_id",
          "get_global_id", "step", "mix", "dot", "cross", "length", "distance", "clamp", "sign", "any", "all"};
  // Vector types, and the functions that come in one version per type or width.
  for (const std::string width : {"", "2", "3", "4", "8", "16"}) {
    for (const std::string function : {"vload", "vstore", "vload_half", "vstore_half"}) words.insert(function + width);
    for (const std::string element : {"char", "uchar", "int", "long", "float"}) {
      const std::string type = element + width;
      for (const std::string function : {"", "floor_div_", "floor_mod_"}) words.insert(function + type);
      for (const std::string mode : {"", "_rtz", "_sat", "_sat_rtz"}) words.insert("convert_" + type + mode);
    }
  }
  return words;
}

}  // namespace tensordsl::opencl

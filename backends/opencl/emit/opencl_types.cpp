#include "backends/opencl/emit/opencl_types.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "backends/opencl/emit/dot_functions.h"
#include "backends/opencl/emit/half_conversions.h"
#include "ir/operations/intrinsics.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

std::string scalar_name(Type type) {
  if (type.is_float()) return type.bits == 64 ? "double" : "float";
  if (type.is_bool()) return type.lanes == 1 ? "bool" : "int";
  const std::string sign = type.is_uint() ? "u" : "";
  switch (type.bits) {
    case 8:
      return sign + "char";
    case 16:
      return sign + "short";
    case 32:
      return sign + "int";
    case 64:
      return sign + "long";
    default:
      throw InternalError("OpenCL: unsupported type");
  }
}

}  // namespace

std::string value_type(Type type) {
  const std::string name = scalar_name(type);
  return type.lanes == 1 ? name : fmt::format("{}{}", name, type.lanes);
}

std::string memory_type(Type type, bool half_arithmetic) {
  if (type.is_float() && type.bits == 16) return half_arithmetic ? "half" : "ushort";
  return type.is_bool() ? "uchar" : scalar_name(type.element());
}

std::string address_space(const lower::BufferArgument& buffer) {
  if (buffer.is_constant) return "__constant";
  return buffer.access == KernelArgument::Access::ReadOnly ? "__global const" : "__global";
}

std::string constant(const ir::ExprNode& imm) {
  if (imm.kind == ir::ExprKind::IntImm) {
    if (imm.type.is_bool()) return imm.value ? "true" : "false";
    if (imm.type == UInt(64)) return fmt::format("{}UL", static_cast<std::uint64_t>(imm.value));
    if (imm.type == UInt(32)) return fmt::format("{}U", imm.value);
    if (imm.type.bits == 64) {
      return imm.value == INT64_MIN ? "(-9223372036854775807L - 1)" : fmt::format("{}L", imm.value);
    }
    if (imm.value == INT32_MIN) return "(-2147483647 - 1)";
    return imm.type.bits < 32 ? fmt::format("({}){}", scalar_name(imm.type), imm.value)
                              : fmt::format("{}", imm.value);
  }
  const bool is_double = imm.type.bits == 64;
  if (std::isnan(imm.number)) return is_double ? "(double)NAN" : "NAN";
  if (std::isinf(imm.number))
    return fmt::format("{}{}INFINITY", is_double ? "(double)" : "", imm.number < 0 ? "-" : "");
  std::string digits =
      is_double ? fmt::format("{}", imm.number) : fmt::format("{}", static_cast<float>(imm.number));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return is_double ? digits : digits + "f";
}

bool is_reserved(const std::string& name) {
  // Keywords, types and built-in functions that kernels call.
  static const std::set<std::string> kWords = [] {
    std::set<std::string> words = {
        "auto",       "bool",          "break",        "case",         "complex",   "const",      "constant",
        "continue",   "default",       "do",           "else",         "enum",      "extern",     "false",
        "for",        "generic",       "global",       "goto",         "if",        "imaginary",  "inline",
        "kernel",     "local",         "pipe",         "private",      "read_only", "read_write", "register",
        "restrict",   "return",        "signed",       "sizeof",       "static",    "struct",     "switch",
        "true",       "typedef",       "typeof",       "vec_step",     "uniform",   "union",      "unsigned",
        "void",       "volatile",      "while",        "write_only",   "abs",       "any",        "all",
        "barrier",    "ceil",          "clamp",        "convert",      "cos",       "cross",      "distance",
        "dot",        "erf",           "exp",          "fabs",         "floor",     "fma",        "fmax",
        "fmin",       "get_global_id", "get_group_id", "get_local_id", "length",    "log",        "mad",
        "max",        "min",           "mix",          "pow",          "rint",      "rsqrt",      "select",
        "read_ahead", "sign",          "sin",          "sqrt",         "step",      "tanh",       "clz"};
    for (const ir::IntrinsicEntry& intrinsic : ir::intrinsics()) words.emplace(intrinsic.name);
    // Vector types, and the functions that come in one version per type or width.
    for (const std::string width : {"", "2", "3", "4", "8", "16"}) {
      for (const std::string function : {"vload", "vstore", "vload_half", "vstore_half"})
        words.insert(function + width);
      for (const std::string element : {"bool", "char", "uchar", "short", "ushort", "int", "uint", "long",
                                        "ulong", "half", "float", "double", "quad"}) {
        const std::string type = element + width;
        for (const std::string function : {"", "floor_div_", "floor_mod_", "as_"})
          words.insert(function + type);
        for (const std::string mode : {"", "_rtz", "_sat", "_sat_rtz"})
          words.insert("convert_" + type + mode);
      }
    }
    return words;
  }();
  if (kWords.contains(name) || is_half_conversion(name) || is_dot_function(name)) return true;
  // Types of the language and of extensions: image2d_t, size_t, event_t. Macros: CLK_..., FLT_MAX, M_PI_F,
  // MAXFLOAT.
  if (name.ends_with("_t")) return true;
  for (const std::string_view macros :
       {"CL_",  "cl_",   "cles_",    "CHAR_", "CLK_",   "DBL_",  "FLT_",   "FP_",   "HALF_",  "HUGE_VAL",
        "INT_", "LONG_", "MAXFLOAT", "M_",    "SCHAR_", "SHRT_", "UCHAR_", "UINT_", "ULONG_", "USHRT_"}) {
    if (name.starts_with(macros)) return true;
  }
  return name == "INFINITY" || name == "NAN" || name == "NULL" || name == "kernel_exec";
}

}  // namespace tensordsl::opencl

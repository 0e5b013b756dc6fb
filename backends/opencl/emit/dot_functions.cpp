#include "backends/opencl/emit/dot_functions.h"

#include <fmt/format.h>

#include <utility>

namespace tensordsl::opencl {
namespace {

std::string function_name(bool a_signed, bool b_signed) {
  return fmt::format("dot_product_{}{}", a_signed ? 'i' : 'u', b_signed ? 'i' : 'u');
}

/// Arm's functions are of two factors of one type.
std::string of_one_type(bool is_signed) {
  const char* number = is_signed ? "int" : "uint";
  return fmt::format(
      "#elif defined(cl_arm_integer_dot_product_accumulate_int8)\n"
      "  return (int)arm_dot_acc(a, b, ({0})c);\n"
      "#elif defined(cl_arm_integer_dot_product_int8)\n"
      "  return c + (int)arm_dot(a, b);\n",
      number);
}

/// The test for NVIDIA is of its compiler: it has inline PTX.
std::string function(bool a_signed, bool b_signed) {
  const char *a = a_signed ? "char4" : "uchar4", *b = b_signed ? "char4" : "uchar4";
  return fmt::format(
      "int {name}({a} a, {b} b, int c) {{\n"
      "#if defined(__opencl_c_integer_dot_product_input_4x8bit)\n"
      "  return c + (int)dot(a, b);\n"
      "{same}"
      "#elif defined(__NV_CL_C_VERSION)\n"
      "  int d;\n"
      "  asm(\"dp4a.{x}.{y} %0, %1, %2, %3;\" : \"=r\"(d) : \"r\"(as_uint(a)), \"r\"(as_uint(b)), "
      "\"r\"(c));\n"
      "  return d;\n"
      "#else\n"
      "  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;\n"
      "#endif\n"
      "}}\n",
      fmt::arg("name", function_name(a_signed, b_signed)), fmt::arg("a", a), fmt::arg("b", b),
      fmt::arg("same", a_signed == b_signed ? of_one_type(a_signed) : ""),
      fmt::arg("x", a_signed ? "s32" : "u32"), fmt::arg("y", b_signed ? "s32" : "u32"));
}

/// Arm's extensions are there for those who ask.
constexpr const char* kExtensions = R"(#if defined(cl_arm_integer_dot_product_int8)
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable
#endif
#if defined(cl_arm_integer_dot_product_accumulate_int8)
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int8 : enable
#endif
)";

}  // namespace

std::string DotFunctions::name_of(Type a, Type b) {
  signs_.emplace(a == Int(8), b == Int(8));
  return function_name(a == Int(8), b == Int(8));
}

std::vector<std::string> DotFunctions::helpers() const {
  std::vector<std::string> functions;
  if (!signs_.empty()) functions.emplace_back(kExtensions);
  for (const auto& [a_signed, b_signed] : signs_) functions.push_back(function(a_signed, b_signed));
  return functions;
}

bool is_dot_function(const std::string& name) {
  for (const bool a_signed : {false, true}) {
    for (const bool b_signed : {false, true}) {
      if (name == function_name(a_signed, b_signed)) return true;
    }
  }
  return false;
}

}  // namespace tensordsl::opencl

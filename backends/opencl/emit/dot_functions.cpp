#include "backends/opencl/emit/dot_functions.h"

#include <fmt/format.h>

#include <utility>

namespace tensordsl::opencl {
namespace {

std::string function_name(bool a_signed, bool b_signed) {
  return fmt::format("dot_product_{}{}", a_signed ? 'i' : 'u', b_signed ? 'i' : 'u');
}

/// Arm's functions are of two factors of one type. With its highest bit changed a u8 is an i8 of 128 less.
std::string of_arm_extensions(bool a_signed, bool b_signed) {
  if (a_signed == b_signed) {
    return fmt::format(
        "#elif defined(cl_arm_integer_dot_product_accumulate_int8)\n"
        "  return (int)arm_dot_acc(a, b, ({0})c);\n"
        "#elif defined(cl_arm_integer_dot_product_int8)\n"
        "  return c + (int)arm_dot(a, b);\n",
        a_signed ? "int" : "uint");
  }
  const char *bytes = a_signed ? "b" : "a", *integers = a_signed ? "a" : "b";
  return fmt::format(
      "#elif defined(cl_arm_integer_dot_product_int8)\n"
      "  const char4 lower = as_char4(as_uint({0}) ^ 0x80808080u);\n"
      "  return c + arm_dot(lower, {1}) - arm_dot((char4)(-128), {1});\n",
      bytes, integers);
}

std::string function(bool a_signed, bool b_signed, bool has_dp4a) {
  const char *a = a_signed ? "char4" : "uchar4", *b = b_signed ? "char4" : "uchar4";
  const std::string signs{a_signed ? 's' : 'u', b_signed ? 's' : 'u'};
  const std::string text =
      has_dp4a
          ? fmt::format(
                "  int d;\n"
                "  asm(\"dp4a.{}.{} %0, %1, %2, %3;\" : \"=r\"(d) : \"r\"(as_uint(a)), \"r\"(as_uint(b)), "
                "\"r\"(c));\n"
                "  return d;\n",
                a_signed ? "s32" : "u32", b_signed ? "s32" : "u32")
          : fmt::format(
                "#if defined(__opencl_c_integer_dot_product_input_4x8bit)\n"
                "  return c + (int)dot(a, b);\n"
                "#elif defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n"
                "  return c + (int)dot_4x8packed_{}_{}(as_uint(a), as_uint(b));\n"
                "{}"
                "#else\n"
                "  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;\n"
                "#endif\n",
                signs, a_signed || b_signed ? "int" : "uint", of_arm_extensions(a_signed, b_signed));
  return fmt::format("int {}({} a, {} b, int c) {{\n{}}}\n", function_name(a_signed, b_signed), a, b, text);
}

/// Arm's extensions must be enabled by the program.
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
  if (!signs_.empty() && !has_dp4a_) functions.emplace_back(kExtensions);
  for (const auto& [a_signed, b_signed] : signs_)
    functions.push_back(function(a_signed, b_signed, has_dp4a_));
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

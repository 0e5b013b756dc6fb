#include "backends/opencl/emit/half_conversions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "ir/nodes/expr_node.h"

namespace tensordsl::opencl {

using namespace ir;

namespace {

constexpr std::string_view kToFloat = "half_to_float";
constexpr std::string_view kToHalf = "float_to_half";
constexpr std::string_view kRound = "round_half";
constexpr std::string_view kStore = "store_half";
constexpr std::string_view kStoreLocal = "store_local_half";

std::string vector(std::string_view element, int lanes) {
  return lanes == 1 ? std::string(element) : fmt::format("{}{}", element, lanes);
}

/// A conversion of fewer than four halves is one of four: PoCL, for one, has an instruction for four or
/// eight, and computes the others from the bits.
int converted_lanes(int lanes) { return std::max(lanes, 4); }

/// The lanes that were asked for, of those that were converted.
std::string_view asked_lanes(int lanes) {
  constexpr std::array<std::string_view, 4> kLanes{"", ".x", ".xy", ".xyz"};
  return lanes < 4 ? kLanes[static_cast<std::size_t>(lanes)] : "";
}

/// A value in all the lanes that are converted.
std::string widened(std::string_view element, std::string_view value, int lanes) {
  constexpr std::array<std::string_view, 4> kRest{"", "", ", {0}", ", {0}.x"};
  if (lanes >= 4) return std::string(value);
  const std::string rest = fmt::format(fmt::runtime(kRest[static_cast<std::size_t>(lanes)]), value);
  return fmt::format("({}4)({}{})", element, value, rest);
}

constexpr int kWidest = 16;
/// One instruction of AVX-512 converts sixteen halves. PoCL 3.1 has functions for at most eight; two of them
/// and the concatenation are three instructions. Casts of vectors of halves are not an alternative: Clang
/// turns comparisons of widened halves into comparisons of halves, and does these one by one.
constexpr std::string_view kConvertsSixteen = "defined(__clang__) && defined(__AVX512F__)";
constexpr std::string_view kToFloats =
    "__builtin_ia32_vcvtph2ps512_mask(as_short16({}), (float16)(0.0f), (ushort)0xffff, 8)";
constexpr std::string_view kToHalves =
    "as_ushort16(__builtin_ia32_vcvtps2ph512_mask(v, 0, (short16)(0), (ushort)0xffff))";

/// The body of a function of sixteen lanes, where one instruction converts them and elsewhere.
std::string body_of_sixteen(std::string_view converted, std::string_view otherwise) {
  return fmt::format("#if {}\n  {};\n#else\n{}#endif\n", kConvertsSixteen, converted, otherwise);
}

/// The body of a function: the language's conversion where the device has arithmetic on halves, else `bits`.
std::string body_by_extension(std::string_view converted, std::string_view bits) {
  return fmt::format("#ifdef cl_khr_fp16\n  {};\n#else\n{}#endif\n", converted, bits);
}

/// Lets the functions have halves, where the device has arithmetic on them.
constexpr const char* kExtension =
    "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n";

std::string to_float_body(int lanes) {
  if (lanes == kWidest)
    return body_of_sixteen(fmt::format("return {}", fmt::format(fmt::runtime(kToFloats), "h")),
                           "  return (float16)(half_to_float8(h.lo), half_to_float8(h.hi));\n");
  const int wide = converted_lanes(lanes);
  return body_by_extension(
      fmt::format("return convert_{}(as_{}(h))", vector("float", lanes), vector("half", lanes)),
      fmt::format("  const ushort{0} bits = {1};\n"
                  "  return vload_half{0}(0, (const __private half*)&bits){2};\n",
                  wide, widened("ushort", "h", lanes), asked_lanes(lanes)));
}

std::string bits_of_value(int lanes) {
  const int wide = converted_lanes(lanes);
  return fmt::format(
      "  ushort{0} bits;\n"
      "  vstore_half{0}_rte({1}, 0, (__private half*)&bits);\n",
      wide, widened("float", "v", lanes));
}

std::string to_half_body(int lanes) {
  if (lanes == kWidest)
    return body_of_sixteen(fmt::format("return {}", kToHalves),
                           "  return (ushort16)(float_to_half8(v.lo), float_to_half8(v.hi));\n");
  return body_by_extension(
      fmt::format("return as_{}(convert_{}_rte(v))", vector("ushort", lanes), vector("half", lanes)),
      bits_of_value(lanes) + fmt::format("  return bits{};\n", asked_lanes(lanes)));
}

std::string round_body(int lanes) {
  if (lanes == kWidest)
    return body_of_sixteen(fmt::format("return {}", fmt::format(fmt::runtime(kToFloats), kToHalves)),
                           "  return (float16)(round_half8(v.lo), round_half8(v.hi));\n");
  return body_by_extension(
      fmt::format("return convert_{}(convert_{}_rte(v))", vector("float", lanes), vector("half", lanes)),
      bits_of_value(lanes) + fmt::format("  return vload_half{}(0, (const __private half*)&bits){};\n",
                                         converted_lanes(lanes), asked_lanes(lanes)));
}

/// PoCL 3.1 assumes that the address of a vstore_half8 is aligned like a whole half8, and faults where it is
/// not.
std::string store_body(int lanes, std::string_view space) {
  const std::string converted = fmt::format("vstore{}(as_{}(convert_{}_rte(v)), 0, to)", lanes,
                                            vector("ushort", lanes), vector("half", lanes));
  if (lanes < 4)
    return body_by_extension(converted, bits_of_value(lanes) + fmt::format("  vstore{}(bits{}, 0, to);\n",
                                                                           lanes, asked_lanes(lanes)));
  if (lanes == 4)
    return body_by_extension(converted, fmt::format("  vstore_half4_rte(v, 0, ({} half*)to);\n", space));
  constexpr std::array<std::string_view, 4> kParts{"0123", "4567", "89ab", "cdef"};
  std::string text;
  for (std::size_t part = 0; part * 4 < static_cast<std::size_t>(lanes); ++part)
    text += fmt::format("  vstore_half4_rte(v.s{}, {}, ({} half*)to);\n", kParts[part], part, space);
  if (lanes < kWidest) return body_by_extension(converted, text);
  return body_of_sixteen(fmt::format("vstore16({}, 0, to)", kToHalves), text);
}

std::string definition(std::string_view function, int lanes) {
  const std::string name = vector(function, lanes), floats = vector("float", lanes),
                    bits = vector("ushort", lanes);
  if (function == kToFloat)
    return fmt::format("{} {}({} h) {{\n{}}}\n", floats, name, bits, to_float_body(lanes));
  if (function == kToHalf)
    return fmt::format("{} {}({} v) {{\n{}}}\n", bits, name, floats, to_half_body(lanes));
  if (function == kRound)
    return fmt::format("{} {}({} v) {{\n{}}}\n", floats, name, floats, round_body(lanes));
  const std::string_view space = function == kStore ? "__global" : "__local";
  return fmt::format("void {}({} v, {} ushort* to) {{\n{}}}\n", name, floats, space,
                     store_body(lanes, space));
}

}  // namespace

std::string HalfConversions::call(const std::string& function, int lanes, const std::string& operands) {
  calls_.emplace(function, lanes);
  return fmt::format("{}({})", vector(function, lanes), operands);
}

std::string HalfConversions::load(int lanes, const std::string& bits) {
  if (lanes == kWidest) calls_.emplace(kToFloat, kWidest / 2);
  return call(std::string(kToFloat), lanes, bits);
}

std::string HalfConversions::load_element(const std::string& array, const std::string& index) {
  return call(std::string(kToFloat), 1, fmt::format("{}[{}]", array, index));
}

std::string HalfConversions::store(const std::string& value, const std::string& pointer, int lanes,
                                   bool is_local) {
  return call(std::string(is_local ? kStoreLocal : kStore), lanes, fmt::format("{}, {}", value, pointer)) +
         ";";
}

std::string HalfConversions::to_half(const std::string& value, int lanes) {
  if (lanes == kWidest) calls_.emplace(kToHalf, kWidest / 2);
  return call(std::string(kToHalf), lanes, value);
}

std::string HalfConversions::store_element(const std::string& value, const std::string& array,
                                           const std::string& index) {
  return fmt::format("{}[{}] = {};", array, index, call(std::string(kToHalf), 1, value));
}

std::string HalfConversions::round(const std::string& value, int lanes) {
  if (lanes == kWidest) calls_.emplace(kRound, kWidest / 2);
  return call(std::string(kRound), lanes, value);
}

std::vector<std::string> HalfConversions::helpers() const {
  std::vector<std::string> functions;
  if (!calls_.empty()) functions.emplace_back(kExtension);
  for (const auto& [function, lanes] : calls_) functions.push_back(definition(function, lanes));
  return functions;
}

Expr unrounded(const Expr& half) {
  const Type single = Float(32, half.type().lanes);
  switch (half->kind) {
    case ExprKind::Cast:
      return make_cast(single, (*half)[0]);
    case ExprKind::Select:
      return make_select((*half)[0], unrounded((*half)[1]), unrounded((*half)[2]));
    case ExprKind::Broadcast:
    case ExprKind::Slice:
    case ExprKind::Concat:
      return map_operands(half, unrounded);
    default:
      return make_cast(single, half);
  }
}

bool is_half_conversion(const std::string& name) {
  constexpr std::array kFunctions{kToFloat, kToHalf, kRound, kStore, kStoreLocal};
  for (const std::string_view function : kFunctions) {
    for (const int lanes : {1, 2, 3, 4, 8, 16}) {
      if (name == vector(function, lanes)) return true;
    }
  }
  return false;
}

}  // namespace tensordsl::opencl

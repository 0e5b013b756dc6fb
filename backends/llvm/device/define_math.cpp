#include "backends/llvm/device/define_math.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <set>

#include "backends/llvm/emit/llvm_types.h"
#include "backends/llvm/emit/math_function.h"

namespace tensordsl::host {
namespace {

using llvm_ir::MathFunction;

/// Returns the name of the C library's function for so many lanes; empty if there is none.
std::string vector_name(const MathFunction& function, int lanes, int vector_bits,
                        bool (*has_function)(const std::string&)) {
  const int bits = lanes * function.type.bits;
  if (bits > vector_bits) return "";
  const char isa = bits == 128 ? 'b' : bits == 256 ? 'd' : bits == 512 ? 'e' : '\0';
  if (isa == '\0') return "";
  const int operands = llvm_ir::operands_of_math_function(function.name);
  std::string name =
      fmt::format("_ZGV{}N{}{}_{}{}", isa, lanes, std::string(static_cast<std::size_t>(operands), 'v'),
                  function.name, function.type.bits == 32 ? "f" : "");
  return has_function(name) ? name : "";
}

std::string arguments(const std::string& type, int count, const char* prefix) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ", type, prefix, i);
  return text;
}

/// The function in parts of the largest width that the library has, at last in scalars.
std::string define(const MathFunction& function, int vector_bits, bool (*has_function)(const std::string&),
                   std::set<std::string>& declared) {
  const auto type_of = [&](int lanes) { return llvm_ir::value_type(function.type.with_lanes(lanes), true); };
  const int lanes = function.type.lanes, operands = llvm_ir::operands_of_math_function(function.name);
  int at_once = 64;
  std::string callee;
  while (at_once > 1 && callee.empty()) {
    at_once /= 2;
    if (at_once > 1 && at_once <= lanes && lanes % at_once == 0)
      callee = vector_name(function, at_once, vector_bits, has_function);
  }
  if (callee.empty()) callee = function.name + (function.type.bits == 32 ? "f" : "");
  const std::string whole = type_of(lanes), part = type_of(at_once);
  std::string parameter_types;
  for (int i = 0; i < operands; ++i) parameter_types += (i == 0 ? "" : ", ") + part;
  declared.insert(
      fmt::format("declare {} @{}({}) nounwind readnone willreturn", part, callee, parameter_types));
  std::string text = fmt::format("define internal {} @{}({}) alwaysinline {{\n", whole,
                                 llvm_ir::symbol_of(function), arguments(whole, operands, "%x"));
  if (at_once == lanes) {
    text += fmt::format("  %result = call {} @{}({})\n", whole, callee, arguments(whole, operands, "%x"));
    return text + fmt::format("  ret {} %result\n}}\n", whole);
  }
  std::string result = "poison";
  for (int first = 0; first < lanes; first += at_once) {
    for (int i = 0; i < operands; ++i) {
      if (at_once == 1) {
        text += fmt::format("  %p{}.{} = extractelement {} %x{}, i32 {}\n", first, i, whole, i, first);
        continue;
      }
      std::string mask;
      for (int lane = 0; lane < at_once; ++lane)
        mask += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", first + lane);
      text += fmt::format("  %p{0}.{1} = shufflevector {2} %x{1}, {2} poison, <{3} x i32> <{4}>\n", first, i,
                          whole, at_once, mask);
    }
    text += fmt::format("  %r{} = call {} @{}({})\n", first, part, callee,
                        arguments(part, operands, fmt::format("%p{}.", first).c_str()));
    if (at_once == 1) {
      text += fmt::format("  %w{} = insertelement {} {}, {} %r{}, i32 {}\n", first, whole, result, part,
                          first, first);
    } else {
      std::string widen, combine;
      for (int lane = 0; lane < lanes; ++lane) {
        const bool is_new = lane >= first && lane < first + at_once;
        widen += fmt::format("{}i32 {}", lane == 0 ? "" : ", ",
                             lane < at_once ? fmt::format("{}", lane) : std::string("poison"));
        combine += fmt::format("{}i32 {}", lane == 0 ? "" : ", ", is_new ? lanes + lane - first : lane);
      }
      text += fmt::format("  %v{0} = shufflevector {1} %r{0}, {1} poison, <{2} x i32> <{3}>\n", first, part,
                          lanes, widen);
      text += fmt::format("  %w{0} = shufflevector {1} {2}, {1} %v{0}, <{3} x i32> <{4}>\n", first, whole,
                          result, lanes, combine);
    }
    result = fmt::format("%w{}", first);
  }
  return text + fmt::format("  ret {} {}\n}}\n", whole, result);
}

}  // namespace

bool process_has_function(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr; }

std::string define_math_functions(std::string_view module, int vector_bits,
                                  bool (*has_function)(const std::string&)) {
  std::string text, definitions;
  std::set<std::string> declared;
  while (!module.empty()) {
    const std::size_t end = std::min(module.find('\n'), module.size() - 1) + 1;
    const std::string_view line = module.substr(0, end);
    module.remove_prefix(end);
    if (line.starts_with("declare ")) {
      const std::size_t begin = line.find('@') + 1, parenthesis = line.find('(', begin);
      if (const auto function = llvm_ir::math_function_of(line.substr(begin, parenthesis - begin))) {
        definitions += "\n" + define(*function, vector_bits, has_function, declared);
        continue;
      }
    }
    text += line;
  }
  for (const std::string& line : declared) definitions += "\n" + line;
  return text + definitions + (definitions.empty() ? "" : "\n");
}

}  // namespace tensordsl::host

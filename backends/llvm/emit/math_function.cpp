#include "backends/llvm/emit/math_function.h"

#include <algorithm>
#include <array>

#include "backends/llvm/emit/llvm_types.h"
#include "ir/operations/intrinsics.h"

namespace tensordsl::llvm_ir {
namespace {

constexpr std::string_view kPrefix = "math.";
constexpr std::array<std::string_view, 21> kNames{"acos",  "acosh", "asin", "asinh", "atan", "atan2", "atanh",
                                                  "cos",   "cosh",  "erf",  "erfc",  "exp",  "exp2",  "log",
                                                  "log1p", "log2",  "pow",  "sin",   "sinh", "tan",   "tanh"};

}  // namespace

bool is_math_function(std::string_view intrinsic) {
  return std::ranges::find(kNames, intrinsic) != kNames.end();
}

int operands_of_math_function(std::string_view name) { return ir::find_intrinsic(name)->operands; }

std::string symbol_of(const MathFunction& function) {
  return std::string(kPrefix) + function.name + "." + suffix(function.type, true);
}

std::optional<MathFunction> math_function_of(std::string_view symbol) {
  if (!symbol.starts_with(kPrefix)) return {};
  symbol.remove_prefix(kPrefix.size());
  const std::size_t dot = symbol.find('.');
  if (dot == std::string_view::npos || !is_math_function(symbol.substr(0, dot))) return {};
  MathFunction function{.name = std::string(symbol.substr(0, dot)), .type = {}};
  const std::string_view type = symbol.substr(dot + 1);
  for (const int bits : {32, 64}) {
    for (int lanes = 1; lanes <= 64; ++lanes) {
      function.type = Float(bits, lanes);
      if (suffix(function.type, true) == type) return function;
    }
  }
  return {};
}

}  // namespace tensordsl::llvm_ir

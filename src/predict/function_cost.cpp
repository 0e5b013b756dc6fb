#include "predict/function_cost.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tensordsl::predict {

using ir::ExprKind;

double divisions_of(const ir::ExprNode& node) {
  static const std::map<std::string, double, std::less<>> kFunctions{
      {"abs", 0},      {"ceil", 0},  {"floor", 0}, {"fma", 0},   {"mad", 0},  {"round", 0}, {"trunc", 0},
      {"truncate", 0}, {"log", 5},   {"log2", 5},  {"log10", 5}, {"pow", 14}, {"sin", 5},   {"cos", 5},
      {"tan", 6},      {"atan", 4},  {"atan2", 7}, {"asin", 5},  {"acos", 5}, {"sinh", 5},  {"cosh", 3},
      {"asinh", 7},    {"acosh", 7}, {"atanh", 7}, {"fmod", 8}};
  if (node.kind == ExprKind::Div) return 1;
  if (node.kind != ExprKind::Intrinsic) return 0;
  const auto known = kFunctions.find(node.name);
  return known == kFunctions.end() ? 1 : known->second;
}

int values_inside(const ir::ExprNode& node) {
  // Its argument, clamped and squared, and two polynomials: expand_erf.
  constexpr int kOfErf = 4;
  return node.kind == ExprKind::Intrinsic && node.name == "erf" ? kOfErf : 0;
}

double integer_instructions(const ir::ExprNode& node) {
  constexpr double kByConstant = 4, kByVariable = 9;
  if (node.kind != ExprKind::Div && node.kind != ExprKind::Mod) return 1;
  const std::int64_t* divisor = ir::as_int(node[1]);
  if (divisor == nullptr) return kByVariable;
  return *divisor > 0 && std::has_single_bit(static_cast<std::uint64_t>(*divisor)) ? 1 : kByConstant;
}

}  // namespace tensordsl::predict

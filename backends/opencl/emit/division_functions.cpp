#include "backends/opencl/emit/division_functions.h"

#include <fmt/format.h>

#include <utility>

namespace tensordsl::opencl {

std::vector<std::string> division_functions(const std::string& type) {
  const bool is_vector = type.back() >= '0' && type.back() <= '9';
  const bool is_unsigned = type[0] == 'u';
  // A comparison of vectors gives -1 for true, one of scalars 1; x/0 is 0, and x/-1 must not overflow.
  // A vector of narrow integers cannot be compared with an int.
  const auto value = [&](int v) {
    return is_vector ? fmt::format("({})({})", type, v) : fmt::format("{}", v);
  };
  const std::string by_zero = fmt::format("b == {}", value(0));
  const std::string by_minus_one = fmt::format("b == {}", value(-1));
  const std::string special = is_unsigned ? by_zero
                              : is_vector ? fmt::format("({}) | ({})", by_zero, by_minus_one)
                                          : fmt::format("{} || {}", by_zero, by_minus_one);
  const auto pick = [&](const std::string& condition, const std::string& yes, const std::string& no) {
    if (!is_vector) return fmt::format("({} ? {} : {})", condition, yes, no);
    return fmt::format("select(({0})({2}), ({0})({1}), {3})", type, yes, no, condition);
  };
  std::string text = fmt::format("{0} floor_div_{0}({0} a, {0} b) {{\n", type);
  text += fmt::format("  const {} d = {};\n", type, pick(special, "1", "b"));
  text += fmt::format("  const {} q = a / d;\n", type);
  if (is_unsigned) {
    text += fmt::format("  return {};\n}}\n", pick(by_zero, "0", "q"));
  } else {
    text += fmt::format("  const {} r = a - q * d;\n", type);
    const std::string below =
        fmt::format(fmt::runtime(is_vector ? "q + ((r != {0}) & ((r < {0}) != (d < {0})))"
                                           : "q - (r != {0} && (r < {0}) != (d < {0}))"),
                    value(0));
    text += fmt::format("  const {} f = {};\n", type, below);
    text += fmt::format("  return {};\n}}\n", pick(by_zero, "0", pick(by_minus_one, "-a", "f")));
  }
  std::string remainder = fmt::format("{0} floor_mod_{0}({0} a, {0} b) {{\n  return {1};\n}}\n", type,
                                      pick(by_zero, "0", fmt::format("a - floor_div_{}(a, b) * b", type)));
  return {std::move(text), std::move(remainder)};
}

}  // namespace tensordsl::opencl

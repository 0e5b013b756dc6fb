#include "backends/llvm/emit/llvm_functions.h"

#include <fmt/format.h>

#include "backends/llvm/emit/llvm_types.h"

namespace tensordsl::llvm_ir {

std::string splat(Type type, const std::string& value, bool half_arithmetic) {
  if (type.lanes == 1) return value;
  const std::string element = value_type(type.element(), half_arithmetic);
  std::string text = "<";
  for (int i = 0; i < type.lanes; ++i) text += fmt::format("{}{} {}", i == 0 ? "" : ", ", element, value);
  return text + ">";
}

std::string division_function(Type type, bool is_division, const std::string& name) {
  const std::string t = value_type(type, true), flag = value_type(Bool(type.lanes), true);
  const auto value = [&](const char* v) { return splat(type, v, false); };
  std::string text = fmt::format("define internal {0} {1}({0} %a, {0} %b) alwaysinline {{\n", t, name);
  const auto line = [&](const std::string& instruction) { text += "  " + instruction + "\n"; };
  line(fmt::format("%by_zero = icmp eq {} %b, {}", t, value("0")));
  if (type.is_uint()) {
    line(fmt::format("%d = select {} %by_zero, {} {}, {} %b", flag, t, value("1"), t));
    line(fmt::format("%q = {} {} %a, %d", is_division ? "udiv" : "urem", t));
    line(fmt::format("%result = select {} %by_zero, {} {}, {} %q", flag, t, value("0"), t));
  } else {
    // The least value by -1 must not be divided.
    line(fmt::format("%by_minus_one = icmp eq {} %b, {}", t, value("-1")));
    line(fmt::format("%special = or {} %by_zero, %by_minus_one", flag));
    line(fmt::format("%d = select {} %special, {} {}, {} %b", flag, t, value("1"), t));
    line(fmt::format("%q = sdiv {} %a, %d", t));
    line(fmt::format("%product = mul {} %q, %d", t));
    line(fmt::format("%r = sub {} %a, %product", t));
    line(fmt::format("%rest = icmp ne {} %r, {}", t, value("0")));
    line(fmt::format("%r_below = icmp slt {} %r, {}", t, value("0")));
    line(fmt::format("%d_below = icmp slt {} %d, {}", t, value("0")));
    line(fmt::format("%differ = xor {} %r_below, %d_below", flag));
    line(fmt::format("%below = and {} %rest, %differ", flag));
    if (is_division) {
      line(fmt::format("%one_less = sext {} %below to {}", flag, t));
      line(fmt::format("%floored = add {} %q, %one_less", t));
      line(fmt::format("%negated = sub {} {}, %a", t, value("0")));
      line(fmt::format("%quotient = select {} %by_minus_one, {} %negated, {} %floored", flag, t, t));
      line(fmt::format("%result = select {} %by_zero, {} {}, {} %quotient", flag, t, value("0"), t));
    } else {
      line(fmt::format("%moved = add {} %r, %d", t));
      line(fmt::format("%floored = select {} %below, {} %moved, {} %r", flag, t, t));
      line(fmt::format("%result = select {} %special, {} {}, {} %floored", flag, t, value("0"), t));
    }
  }
  line(fmt::format("ret {} %result", t));
  return text + "}\n";
}

}  // namespace tensordsl::llvm_ir

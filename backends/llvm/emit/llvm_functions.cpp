#include "backends/llvm/emit/llvm_functions.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "backends/llvm/emit/llvm_types.h"

namespace tensordsl::llvm_ir {
namespace {

/// Instructions that make %q of %a and %d, toward 0.
std::string quotient(Type type, bool in_floats) {
  const std::string t = value_type(type, true), sign = type.is_uint() ? "u" : "s";
  if (!in_floats) return fmt::format("  %q = {}div {} %a, %d\n", sign, t);
  const bool is_narrow = type.bits < 32;
  const std::string f = value_type(Float(is_narrow ? 32 : 64, type.lanes), true),
                    whole = value_type(Int(32, type.lanes), true);
  std::string text =
      fmt::format("  %a.float = {0}itofp {1} %a to {2}\n  %d.float = {0}itofp {1} %d to {2}\n", sign, t, f);
  text += fmt::format("  %q.float = fdiv {} %a.float, %d.float\n", f);
  if (!is_narrow) return text + fmt::format("  %q = fpto{}i {} %q.float to {}\n", sign, f, t);
  text += fmt::format("  %q.whole = fptosi {} %q.float to {}\n", f, whole);
  return text + fmt::format("  %q = trunc {} %q.whole to {}\n", whole, t);
}

}  // namespace

std::string splat(Type type, const std::string& value, bool half_arithmetic) {
  if (type.lanes == 1) return value;
  const std::string element = value_type(type.element(), half_arithmetic);
  std::string text = "<";
  for (int i = 0; i < type.lanes; ++i) text += fmt::format("{}{} {}", i == 0 ? "" : ", ", element, value);
  return text + ">";
}

bool divides_in_floats(Type type) { return type.lanes > 1 && type.bits <= 32; }

std::string truncating_function(Type type, bool is_division, const std::string& name) {
  const std::string t = value_type(type, true);
  std::string text = fmt::format("define internal {0} {1}({0} %a, {0} %d) alwaysinline {{\n", t, name);
  text += quotient(type, true);
  if (is_division) return text + fmt::format("  ret {} %q\n}}\n", t);
  return text +
         fmt::format("  %product = mul {0} %q, %d\n  %r = sub {0} %a, %product\n  ret {0} %r\n}}\n", t);
}

std::string division_function(Type type, bool is_division, bool in_floats, const std::string& name) {
  const std::string t = value_type(type, true), flag = value_type(Bool(type.lanes), true);
  const auto value = [&](const char* v) { return splat(type, v, false); };
  std::string text = fmt::format("define internal {0} {1}({0} %a, {0} %b) alwaysinline {{\n", t, name);
  const auto line = [&](const std::string& instruction) { text += "  " + instruction + "\n"; };
  const auto divide = [&] {
    text += quotient(type, in_floats);
    line(fmt::format("%product = mul {} %q, %d", t));
    line(fmt::format("%r = sub {} %a, %product", t));
  };
  line(fmt::format("%by_zero = icmp eq {} %b, {}", t, value("0")));
  if (type.is_uint()) {
    line(fmt::format("%d = select {} %by_zero, {} {}, {} %b", flag, t, value("1"), t));
    divide();
    line(fmt::format("%result = select {} %by_zero, {} {}, {} {}", flag, t, value("0"), t,
                     is_division ? "%q" : "%r"));
  } else {
    // The least value by -1 must not be divided.
    line(fmt::format("%by_minus_one = icmp eq {} %b, {}", t, value("-1")));
    line(fmt::format("%special = or {} %by_zero, %by_minus_one", flag));
    line(fmt::format("%d = select {} %special, {} {}, {} %b", flag, t, value("1"), t));
    divide();
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

std::string saturating_function(Type to, Type from, const std::string& name) {
  const Type whole = to.bits < 32 ? Int(32, to.lanes) : to;  // processors convert to no narrower one
  const std::string f = value_type(from, true), t = value_type(to, true), w = value_type(whole, true),
                    flag = value_type(Bool(to.lanes), true);
  const auto number = [&](double v) {
    return splat(from, constant(*ir::make_float(from.element(), v), true), true);
  };
  const int bits = to.is_uint() ? to.bits : to.bits - 1;
  const double end = std::ldexp(1.0, bits), least = to.is_uint() ? 0.0 : -end;
  const bool has_greatest = bits <= (from.bits == 32 ? 24 : 53);  // of `to` as a number of `from`
  std::string text = fmt::format("define internal {} {}({} %a) alwaysinline {{\n", t, name, f), x = "%a";
  const auto line = [&](const std::string& instruction) { text += "  " + instruction + "\n"; };
  const auto keep = [&](const std::string& result, std::string_view comparison, double limit) {
    line(fmt::format("{}.kept = fcmp {} {} {}, {}", result, comparison, f, x, number(limit)));
    line(fmt::format("{0} = select {1} {0}.kept, {2} {3}, {2} {4}", result, flag, f, x, number(limit)));
    x = result;
  };
  if (!to.is_uint()) keep("%number", "ord", 0.0);
  keep("%raised", "ogt", least);  // also a NaN, to 0
  if (has_greatest) keep("%lowered", "olt", end - 1);
  line(fmt::format("%whole = {} {} {} to {}", whole.is_uint() ? "fptoui" : "fptosi", f, x, w));
  std::string result = "%whole";
  if (!has_greatest) {
    // If the number is too large, %whole is poison, and not selected.
    const std::string greatest = fmt::format("{}", ~std::uint64_t{0} >> (64 - bits));
    line(fmt::format("%too_large = fcmp oge {} {}, {}", f, x, number(end)));
    line(fmt::format("%result = select {} %too_large, {} {}, {} %whole", flag, t, splat(to, greatest, true),
                     t));
    result = "%result";
  } else if (w != t) {
    line(fmt::format("%result = trunc {} %whole to {}", w, t));
    result = "%result";
  }
  line(fmt::format("ret {} {}", t, result));
  return text + "}\n";
}

}  // namespace tensordsl::llvm_ir

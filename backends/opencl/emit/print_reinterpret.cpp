// OpenCLPrinter: numbers by their bits.
#include <fmt/format.h>

#include "backends/opencl/emit/opencl_printer.h"

namespace tensordsl::opencl {

using namespace ir;
using codegen::CPrinter;
using codegen::Precedence;

CPrinter::Printed OpenCLPrinter::print_reinterpret(const ExprNode& e) {
  const Type from = e[0].type(), to = e.type, bits = UInt(16, to.lanes);
  has_double_ = has_double_ || from.element() == Float(64) || to.element() == Float(64);
  const auto as = [](const std::string& type, const std::string& value) {
    return fmt::format("as_{}({})", type, value);
  };
  // C computes with small integers as with int, which has other bits.
  std::string value = expr(e[0], Precedence::Conditional);
  if (from.lanes == 1) value = fmt::format("({})({})", type_name(from), value);
  if (is_converted_half(from)) value = halves_.to_half(value, from.lanes);
  if (is_converted_half(to)) return {halves_.load(to.lanes, as(type_name(bits), value)), Precedence::Primary};
  return {as(type_name(to), value), Precedence::Primary};
}

}  // namespace tensordsl::opencl

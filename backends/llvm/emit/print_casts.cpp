// Casts, of values and of bits.
#include <fmt/format.h>

#include "backends/llvm/emit/llvm_functions.h"
#include "backends/llvm/emit/llvm_printer.h"
#include "backends/llvm/emit/llvm_types.h"

namespace tensordsl::llvm_ir {

using namespace ir;

LlvmPrinter::Operand LlvmPrinter::float_cast(const ExprNode& e) {
  const Type from = e[0].type(), to = e.type;
  const auto bits = [&](Type type) {
    return is_half(type) && !half_arithmetic_ ? 32 : static_cast<int>(type.bits);
  };
  const auto convert = [&](const Operand& operand, int from_bits, int to_bits) {
    if (from_bits == to_bits) return operand;
    const auto name = [&](int width) { return value_type(Float(width, to.lanes), true); };
    const Operand converted = emit(fmt::format("{} {} {} to {}", from_bits < to_bits ? "fpext" : "fptrunc",
                                               name(from_bits), operand, name(to_bits)));
    return from_bits == 16 ? fenced(converted, name(to_bits), suffix_of(Float(to_bits, to.lanes)))
                           : converted;
  };
  Operand operand = value(e[0]);
  if (!is_half(to) || is_half(from)) return convert(operand, bits(from), bits(to));
  // Casts to f16 go through f32.
  operand = convert(convert(operand, bits(from), 32), 32, 16);
  return convert(operand, 16, bits(to));
}

LlvmPrinter::Operand LlvmPrinter::reinterpretation(const ExprNode& e) {
  const Type from = e[0].type(), to = e.type;
  Operand bits = value(e[0]);
  // A half exists only as its bits in memory.
  if (is_half(from) && !half_arithmetic_)
    bits = emit(fmt::format("fptrunc {} {} to {}", type_of(from), bits, memory_type(from)));
  const Operand result = emit(fmt::format("bitcast {} {} to {}", memory_type(from), bits, memory_type(to)));
  return is_half(to) ? loaded(result, to, to.element()) : result;
}

LlvmPrinter::Operand LlvmPrinter::cast(const ExprNode& e) {
  const Type from = e[0].type(), to = e.type;
  if (from.is_float() && to.is_float()) return float_cast(e);
  if (is_half(to) && from.bits > 8) return value(make_cast(to, make_cast(Float(32, to.lanes), e[0])));
  if (is_half(from) && half_arithmetic_ && !to.is_bool())
    return value(make_cast(to, make_cast(Float(32, to.lanes), e[0])));
  const Operand operand = value(e[0]);
  const std::string source = type_of(from), target = type_of(to);
  if (to.is_bool()) {
    return emit(
        fmt::format("{} {} {}, zeroinitializer", from.is_float() ? "fcmp une" : "icmp ne", source, operand));
  }
  if (from.is_float()) {
    const Type held = is_half(from) ? Float(32, from.lanes) : from;
    const std::string name =
        fmt::format("@saturated_{}.{}", (to.is_uint() ? "u" : "") + suffix_of(to), suffix_of(held));
    functions_.try_emplace(name, saturating_function(to, held, name));
    return emit(fmt::format("call {} {}({} {})", target, name, source, operand));
  }
  if (to.is_float())
    return emit(
        fmt::format("{} {} {} to {}", is_unsigned(from) ? "uitofp" : "sitofp", source, operand, target));
  if (!from.is_bool() && from.bits == to.bits) return operand;
  const std::string_view instruction = !from.is_bool() && from.bits > to.bits ? "trunc"
                                       : is_unsigned(from)                    ? "zext"
                                                                              : "sext";
  return emit(fmt::format("{} {} {} to {}", instruction, source, operand, target));
}

}  // namespace tensordsl::llvm_ir

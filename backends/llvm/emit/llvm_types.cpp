#include "backends/llvm/emit/llvm_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "tensordsl/half.h"

namespace tensordsl::llvm_ir {

namespace {

std::string vector_of(const std::string& element, int lanes) {
  return lanes == 1 ? element : fmt::format("<{} x {}>", lanes, element);
}

std::string float_name(int bits) { return bits == 16 ? "half" : bits == 32 ? "float" : "double"; }

/// Bits of a float where the kernel computes.
int value_bits(Type type, bool half_arithmetic) {
  return type.is_float() && type.bits == 16 && !half_arithmetic ? 32 : type.bits;
}

}  // namespace

std::string value_type(Type type, bool half_arithmetic) {
  const std::string element = type.is_bool()    ? "i1"
                              : type.is_float() ? float_name(value_bits(type, half_arithmetic))
                                                : fmt::format("i{}", type.bits);
  return vector_of(element, type.lanes);
}

std::string memory_type(Type type) {
  return vector_of(type.is_float() ? float_name(type.bits) : fmt::format("i{}", type.bits), type.lanes);
}

std::string constant(const ir::ExprNode& imm, bool half_arithmetic) {
  if (imm.kind == ir::ExprKind::IntImm) {
    if (imm.type.is_bool()) return imm.value != 0 ? "true" : "false";
    return imm.type == UInt(64) ? fmt::format("{}", static_cast<std::uint64_t>(imm.value))
                                : fmt::format("{}", imm.value);
  }
  const int bits = value_bits(imm.type, half_arithmetic);
  if (bits == 16) return fmt::format("0xH{:04X}", float_to_half(static_cast<float>(imm.number)));
  // An f32 is printed by its value as a double.
  const double number = bits == 32 ? static_cast<double>(static_cast<float>(imm.number)) : imm.number;
  return fmt::format("0x{:016X}", std::bit_cast<std::uint64_t>(number));
}

std::string suffix(Type type, bool half_arithmetic) {
  const std::string element = type.is_float()
                                  ? fmt::format("f{}", value_bits(type, half_arithmetic))
                                  : fmt::format("i{}", type.is_bool() ? 1 : static_cast<int>(type.bits));
  return type.lanes == 1 ? element : fmt::format("v{}{}", type.lanes, element);
}

std::string identifier(char sigil, const std::string& name) {
  const auto is_plain = [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '$' || c == '-';
  };
  if (std::ranges::all_of(name, is_plain)) return sigil + name;
  std::string text = fmt::format("{}\"", sigil);
  for (const char c : name) {
    if (is_plain(static_cast<unsigned char>(c))) {
      text += c;
    } else {
      text += fmt::format("\\{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text + '"';
}

}  // namespace tensordsl::llvm_ir

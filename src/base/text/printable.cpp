#include "base/text/printable.h"

namespace tensordsl {
namespace {

constexpr std::size_t kMaxBytes = 1000;

/// Returns the bytes of the printable UTF-8 character that `text` starts with; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7F ? 1 : 0;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Rejects sequences that UTF-8 forbids beyond its bit pattern: overlong forms, surrogates, code points past
  // U+10FFFF; and C1 controls.
  const unsigned first = byte(0), second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F) ||
      (first == 0xC2 && second < 0xA0)) {
    return 0;
  }
  return length;
}

}  // namespace

bool is_printable(std::string_view text) {
  if (text.size() > kMaxBytes) return false;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= kMaxBytes) return result + "...";
    const std::size_t length = character_length(text);
    result += length == 0 ? "?" : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace tensordsl

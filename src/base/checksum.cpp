#include "base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tensordsl {

Checksum checksum(std::span<const std::byte> bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  return std::to_array(canonical.digest);
}

Checksum checksum(std::string_view text) { return checksum(std::as_bytes(std::span(text))); }

std::string to_hex(const Checksum& checksum) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : checksum) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace tensordsl

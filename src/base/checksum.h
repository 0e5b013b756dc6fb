// Checksums of byte strings. They detect damage, not manipulation: an attacker can construct bytes of any
// checksum.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tensordsl {

/// XXH3 of 128 bits, its canonical bytes. It reads memory as fast as memory is, so that weights are checked
/// each time that they are loaded.
using Checksum = std::array<unsigned char, 16>;

Checksum checksum(std::span<const std::byte> bytes);
Checksum checksum(std::string_view text);

/// Returns the checksum as 32 hexadecimal digits.
std::string to_hex(const Checksum& checksum);

}  // namespace tensordsl

// The bytes of a package in one file, for those who write it and who read it.
//
//      0   8  magic
//      8   4  version
//     12   4  zero
//     16   8  bytes of the index
//     24  16  the index's checksum
//     40  24  zero
//     64   -  the index: JSON (package_index.h)
//      -   -  the files, at the offsets that the index gives
//
// Numbers are little-endian. Files come in the order of the index, none over another; each begins at a
// multiple of 64 bytes, the constants of 4096, so that they can be mapped, and used where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tensordsl {

inline constexpr int kPackageVersion = 1;
inline constexpr std::string_view kPackageMagic{"\x8dTDSL\r\n\x1a", 8};
inline constexpr std::size_t kPackageHeaderBytes = 64;
inline constexpr std::uint64_t kFileAlignment = 64, kConstantsAlignment = 4096;

}  // namespace tensordsl

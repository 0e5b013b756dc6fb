// Built programs on disk, one file each, shared by all processes of the user.
//
// A file is: magic (8 bytes), format version (4), key (32), length of the binary (8), SHA-256 of the binary
// (32), the binary; numbers are little-endian. The key says what the binary was built from and for, so an
// entry never grows stale; every byte of a file is covered by a check, so a damaged or foreign one is never
// used. A file's time is when it was last used: what was not for the longest time goes first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::opencl {

/// The key of the program that `source` builds to on the device that `device_identity` describes.
Digest program_key(const KernelSource& source, const std::vector<std::string>& device_identity);

class ProgramCache {
 public:
  using Binary = std::vector<unsigned char>;

  /// $TENSORDSL_CACHE_DIR, else $XDG_CACHE_HOME/tensordsl, else ~/.cache/tensordsl; none if there is no home
  /// or TENSORDSL_CACHE is "off". Throws Error if that is neither "on" nor "off".
  static std::optional<std::filesystem::path> folder_of_environment();

  /// $TENSORDSL_CACHE_LIMIT in MiB, 1024 if it is not set. Throws Error if it is no number of MiB.
  static std::uintmax_t limit_of_environment();

  /// Without a folder nothing is found and nothing is kept.
  explicit ProgramCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  /// Empty if there is no entry or it cannot be trusted.
  std::optional<Binary> load(const Digest& key) const;
  /// Replaces the entry at once for all readers. A folder that cannot be written only means no caching.
  void store(const Digest& key, std::span<const unsigned char> binary) const;

  /// Removes the entries that were not used for the longest time, until all take nine tenths of `bytes`; none
  /// if they do not take more than `bytes`. Also what processes that were killed left behind.
  void trim(std::uintmax_t bytes) const;

  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  /// Where the entry of `key` is; the cache must have a folder.
  std::filesystem::path path_of(const Digest& key) const { return *folder_ / (to_hex(key) + kExtension); }

 private:
  static constexpr const char* kExtension = ".clbin";

  std::optional<std::filesystem::path> folder_;
};

}  // namespace tensordsl::opencl

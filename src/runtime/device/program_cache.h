// Built programs on disk, one file each, shared by all processes of the user.
//
// A file is: magic (8 bytes), format version (4), length (8) of the key (all that the binary was built from
// and for), the key, length of the binary (8), its checksum (16), the binary; numbers are little-endian. An
// entry never grows stale, and every byte of a file is compared with the expected key or covered by the
// checksum, so a damaged or foreign one is never used. A file's time is the time of its last use: the least
// recently used file is removed first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensordsl/kernel_source.h"

namespace tensordsl::runtime {

/// All that the binary of a program depends on: its text and options, the device, the driver.
struct ProgramKey {
  std::string built_from;
  /// Adds a text that the binary depends on. No two lists of texts give one key, however they are cut.
  void add(std::string_view text);
  /// Returns the name of the entry's file: the checksum of the key.
  std::string name() const;
  friend bool operator==(const ProgramKey&, const ProgramKey&) = default;
};

/// Returns the key of the program that `source` builds to on the device that `device_identity` describes.
ProgramKey program_key(const KernelSource& source, const std::vector<std::string>& device_identity);

using ProgramBinary = std::vector<unsigned char>;

/// Returns the bytes of a file of the cache.
std::vector<unsigned char> cache_entry(const ProgramKey& key, std::span<const unsigned char> binary);
/// Returns the binary in such a file; nothing if it is not an entry of `key`, or is damaged.
std::optional<ProgramBinary> binary_of_entry(const ProgramKey& key, std::span<const unsigned char> entry);

class ProgramCache {
 public:
  /// Returns $TENSORDSL_CACHE_DIR, else $XDG_CACHE_HOME/tensordsl, else ~/.cache/tensordsl; none if there is
  /// no home or TENSORDSL_CACHE is "off". Throws Error if that is neither "on" nor "off".
  static std::optional<std::filesystem::path> folder_of_environment();

  /// Returns $TENSORDSL_CACHE_LIMIT, in MiB; 1024 MiB if it is not set. Throws Error if it is not a number of
  /// MiB.
  static std::uintmax_t limit_of_environment();

  /// Makes a cache in `folder`; without one nothing is found and nothing is kept.
  explicit ProgramCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  /// Returns the entry of `key`; empty if there is none or it cannot be trusted.
  std::optional<ProgramBinary> load(const ProgramKey& key) const;
  /// Replaces the entry at once for all readers. A folder that cannot be written only means no caching.
  void store(const ProgramKey& key, std::span<const unsigned char> binary) const;

  /// Removes the least recently used entries and packages until all take nine tenths of `bytes`; none if they
  /// take at most `bytes`. Removes files that killed processes left, too.
  void trim(std::uintmax_t bytes) const;

  const std::optional<std::filesystem::path>& folder() const { return folder_; }
  /// Returns the path of the entry of `key`; the cache must have a folder.
  std::filesystem::path path_of(const ProgramKey& key) const { return *folder_ / (key.name() + kExtension); }
  /// Returns the path of a package that belongs to the entry of `key`; the cache must have a folder.
  std::filesystem::path package_of(const ProgramKey& key) const { return *folder_ / (key.name() + kPackage); }

 private:
  static constexpr const char *kExtension = ".clbin", *kPackage = ".tdsl";

  std::optional<std::filesystem::path> folder_;
};

}  // namespace tensordsl::runtime

// Binaries that a program came with, which are looked up before the cache on disk.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/device/program_cache.h"
#include "tensordsl/device.h"

namespace tensordsl::runtime {

/// Entries of the cache (cache_entry) that lie elsewhere. Threads may use it at once.
class OfferedBinaries {
 public:
  /// Copies the binaries, so that the caller may free their memory. If two have one name, the later one is
  /// kept.
  void add(const std::vector<DeviceBinary>& binaries);
  /// Returns the binary offered for `key`; nothing if there is none, or it cannot be trusted.
  std::optional<ProgramBinary> find(const ProgramKey& key) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const std::vector<unsigned char>>> by_name_;
};

}  // namespace tensordsl::runtime

// Measurements that an interrupted run leaves behind, for the next one to go on from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hwprofile/probes/probe_result.h"

namespace tensordsl::hwprofile {

/// Measurements go together only if all of this is the same.
struct CheckpointKey {
  std::string device, driver, platform;
  double seconds = 0;               ///< of the whole run
  std::vector<std::string> probes;  ///< that share them

  friend bool operator==(const CheckpointKey&, const CheckpointKey&) = default;
};

/// JSON of version 2.
std::string checkpoint_to_json(const CheckpointKey& key, const std::vector<ProbeResult>& results);

/// Nothing if the text is not that of a checkpoint with this key: of another device, driver or length, of
/// another version, or cut off.
std::optional<std::vector<ProbeResult>> checkpoint_from_json(const std::string& text,
                                                             const CheckpointKey& key);

/// No results if there is no such file. Throws Error if there is one that is not of this run: it may be all
/// that is left of another.
std::vector<ProbeResult> read_checkpoint(const std::filesystem::path& path, const CheckpointKey& key);

/// All or nothing: a run that is cut off while it writes leaves the file as it was. Throws Error if it cannot
/// be written.
void write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key,
                      const std::vector<ProbeResult>& results);

}  // namespace tensordsl::hwprofile

// Measurements of an interrupted run, from which the next one continues.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hwprofile/profiling/probe_result.h"

namespace tensordsl::hwprofile {

/// Measurements go together only if all of this is the same.
struct CheckpointKey {
  std::string device, driver, platform;
  double seconds = 0;               ///< time of the whole run
  std::vector<std::string> probes;  ///< probes that share the time

  friend bool operator==(const CheckpointKey&, const CheckpointKey&) = default;
};

/// Writes lines of JSON, of version 2: the description of the run, and then one line for each pass of a
/// probe, so that the lines before a damaged one can be read.
std::string checkpoint_text(const CheckpointKey& key, const std::vector<ProbeResult>& results);

struct Checkpoint {
  std::vector<ProbeResult> results;
  std::string damage;  ///< description of the damage of a file that is cut off or changed; empty if it is
                       ///< whole
};

/// Reads the text before the first damaged line. Throws Error, without the name of the file, if the text is
/// something else, of another version, or another run's.
Checkpoint parse_checkpoint(const std::string& text, const CheckpointKey& key);

/// Reads a checkpoint; it has no results if there is no such file. Throws Error if the file belongs to
/// another run: it may be all that is left of that.
Checkpoint read_checkpoint(const std::filesystem::path& path, const CheckpointKey& key);

/// Returns the path at which a checkpoint is written before it replaces the last one.
std::filesystem::path checkpoint_draft(const std::filesystem::path& path);

/// Replaces the file atomically: a run that is killed while it writes does not change the file. Throws Error
/// if it cannot be written.
void write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key,
                      const std::vector<ProbeResult>& results);

}  // namespace tensordsl::hwprofile

// Writes the files of `tensordsl profile`.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "hwprofile/profiling/profile_device.h"

namespace tensordsl::cli {

/// profile.html in this folder, which is made if it is not there. Throws Error if it cannot be written.
std::filesystem::path page_in(const std::string& folder);

using ProfileFacts = std::vector<std::pair<std::string, std::string>>;

/// Returns the facts of a profile that this command has measured here: date, host, version, command.
ProfileFacts measured_facts(const std::string& command);

/// Returns the facts of a profile that was read: its file with the file's date, or its name if it comes with
/// the library; and the version and the command that show it.
ProfileFacts shown_facts(const std::string& name, const std::string& command);

/// Writes the page of a profile. `notes`: cross-checks and disturbances, a line each.
void write_page(const std::filesystem::path& path, const hwprofile::DeviceProfile& profile,
                const ProfileFacts& facts, const std::vector<std::string>& notes);

}  // namespace tensordsl::cli

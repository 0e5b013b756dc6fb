// Writes the files of `tensordsl profile`.
#pragma once

#include <filesystem>
#include <string>

#include "hwprofile/profiling/profile_device.h"

namespace tensordsl::cli {

/// profile.html in this folder, which is made if it is not there. Throws Error if it cannot be written.
std::filesystem::path page_in(const std::string& folder);

/// Writes the page of a profile, with the date, this host and this version; `command` is the command line.
void write_page(const std::filesystem::path& path, const hwprofile::DeviceProfile& profile,
                const std::string& command);

}  // namespace tensordsl::cli

// Facts that every page has.
#pragma once

#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace tensordsl::cli {

using PageFacts = std::vector<std::pair<std::string, std::string>>;

/// Returns "2026-11-28 17:03 UTC".
std::string date_text(std::time_t time);

/// Returns the date, this host, this version, and the command that makes the page.
PageFacts page_facts(const std::string& command);

}  // namespace tensordsl::cli

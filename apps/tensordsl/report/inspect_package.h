// Describes the contents of a package, as a host sees it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tensordsl/package.h"

namespace tensordsl::cli {

/// `columns` of the terminal, if there is one.
std::string inspect_text(const Package& package, const std::string& place, std::optional<int> columns);
nlohmann::ordered_json inspect_json(const Package& package, const std::string& place);

}  // namespace tensordsl::cli

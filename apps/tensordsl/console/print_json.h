// JSON that commands print.
#pragma once

#include <nlohmann/json.hpp>

namespace tensordsl::cli {

/// A number, or the text "NaN", "Infinity" or "-Infinity": JSON has no such numbers.
nlohmann::ordered_json json_number(double value);

/// Bytes of names that are not UTF-8 are replaced.
void print_json(const nlohmann::ordered_json& json);

}  // namespace tensordsl::cli

#include "apps/tensordsl/console/print_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_text.h"

namespace tensordsl::cli {

using nlohmann::ordered_json;

ordered_json json_number(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "Infinity" : "-Infinity";
}

void print_json(const ordered_json& json) { fmt::print("{}\n", dump_json(json, 2, InvalidUtf8::Replace)); }

}  // namespace tensordsl::cli

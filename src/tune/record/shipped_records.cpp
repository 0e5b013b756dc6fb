#include "tune/record/shipped_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_problem.h"
#include "base/json_text.h"
#include "records/record_json.h"
#include "tensordsl/error.h"
#include "tune/record/shipped_assets.h"

namespace tensordsl::tune {
namespace {

/// Reads "for": the parts that a device's name must have. Does not parse the records after it, of which there
/// are thousands.
std::vector<std::string> parts_of(const EmbeddedFile& asset, const std::string& text) {
  const std::size_t begin = text.find('[', text.find("\"for\""));
  const std::size_t end = text.find(']', begin);
  if (end == std::string::npos) throw InternalError(fmt::format("{} has no list \"for\"", asset.name));
  try {
    return parse_json(text.substr(begin, end + 1 - begin)).get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& error) {
    throw InternalError(fmt::format("{}: {}", asset.name, json_problem(error.what())));
  }
}

bool has_all(const std::string& device, const std::vector<std::string>& parts) {
  return std::ranges::all_of(parts,
                             [&](const std::string& part) { return device.find(part) != std::string::npos; });
}

}  // namespace

std::vector<ShippedFile> shipped_files() {
  std::vector<ShippedFile> files;
  for (const EmbeddedFile& asset : shipped_assets()) {
    const std::string text = asset.text();
    files.push_back({std::string(asset.name), parts_of(asset, text), records::records_from_json(text)});
  }
  return files;
}

std::vector<records::TuningRecord> shipped_records(const std::string& device) {
  std::vector<records::TuningRecord> all;
  for (const EmbeddedFile& asset : shipped_assets()) {
    const std::string text = asset.text();
    if (has_all(device, parts_of(asset, text)))
      std::ranges::move(records::records_from_json(text), std::back_inserter(all));
  }
  return all;
}

}  // namespace tensordsl::tune

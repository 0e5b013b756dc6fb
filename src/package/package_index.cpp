#include "package/package_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_integer.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "base/text/printable.h"
#include "package/package_format.h"
#include "runtime/json/program_files.h"
#include "tensordsl/error.h"

namespace tensordsl {

using nlohmann::ordered_json;

const PackageEntry* PackageIndex::find(std::string_view name) const {
  const auto found = std::ranges::find(entries, name, &PackageEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

namespace {

std::string damaged_index(const std::string& how) {
  return fmt::format("the package is damaged: {}; copy it again, or compile it again", how);
}

}  // namespace

PackageIndex index_from_json(std::string_view json) {
  try {
    const ordered_json j = parse_json(json);
    const int version = integer_of<int>(j.at("version"));
    if (version != kPackageVersion)
      throw ParseError(fmt::format(
          "unsupported package version {}; this library reads version {}; compile the package again", version,
          kPackageVersion));
    PackageIndex index;
    j.at("made_from").get_to(index.made_from);
    j.at("compiled_for").get_to(index.compiled_for);
    std::set<std::string> names;
    for (const ordered_json& f : j.at("files")) {
      PackageEntry entry;
      f.at("name").get_to(entry.name);
      if (!runtime::is_file_name(entry.name) || entry.name == kIndexName)
        throw ParseError(fmt::format("\"{}\" is not a valid file name", printable(entry.name)));
      if (!names.insert(entry.name).second)
        throw ParseError(fmt::format("the file \"{}\" is listed twice", printable(entry.name)));
      if (f.contains("offset")) entry.offset = integer_of<std::uint64_t>(f["offset"]);
      entry.bytes = integer_of<std::uint64_t>(f.at("bytes"));
      f.at("checksum").get_to(entry.checksum);
      index.entries.push_back(std::move(entry));
    }
    return index;
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(damaged_index(json_problem(e.what())));
  } catch (const ParseError& e) {
    const std::string what = e.what();
    throw ParseError(what.starts_with("unsupported") ? what : damaged_index(what));
  }
}

}  // namespace tensordsl

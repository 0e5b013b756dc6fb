#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "package/package_format.h"
#include "package/package_index.h"
#include "tensordsl/version.h"

namespace tensordsl {

using nlohmann::ordered_json;

std::string to_json(const PackageIndex& index) {
  ordered_json j{{"version", kPackageVersion},
                 {"made_by", std::string("tensordsl ") + version()},
                 {"made_from", index.made_from},
                 {"compiled_for", index.compiled_for},
                 {"files", ordered_json::array()}};
  for (const PackageEntry& entry : index.entries) {
    ordered_json f{{"name", entry.name}};
    if (entry.offset > 0) f["offset"] = entry.offset;
    f["bytes"] = entry.bytes;
    f["checksum"] = entry.checksum;
    j["files"].push_back(std::move(f));
  }
  return dump_json(j, 2) + "\n";
}

}  // namespace tensordsl

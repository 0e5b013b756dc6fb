#include <fmt/format.h>

#include "report/assets.h"
#include "tensordsl/error.h"

namespace tensordsl::report {

std::string asset_text(std::string_view name) {
  for (const EmbeddedFile& asset : assets()) {
    if (asset.name == name) return asset.text();
  }
  throw InternalError(fmt::format("report: unknown asset {}", name));
}

}  // namespace tensordsl::report

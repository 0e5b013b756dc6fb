#include <fmt/format.h>

#include "report/assets.h"
#include "tensordsl/error.h"

namespace tensordsl::report {

std::string asset_text(std::string_view name) {
  for (const Asset& asset : assets()) {
    if (asset.name != name) continue;
    std::string text;
    for (const std::string_view piece : asset.pieces) text += piece;
    return text;
  }
  throw InternalError(fmt::format("report: no asset is called {}", name));
}

}  // namespace tensordsl::report

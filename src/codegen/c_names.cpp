#include "codegen/c_names.h"

#include <fmt/format.h>

namespace tensordsl::codegen {

const std::string& CNames::of(Kind kind, const std::string& name) {
  if (const auto it = identifiers_.find({kind, name}); it != identifiers_.end()) return it->second;
  std::string base;
  for (const char c : name) {
    const bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    base += ok ? c : '_';
  }
  if (base.empty() || (base[0] >= '0' && base[0] <= '9') || base[0] == '_') base = "v" + base;
  // If a prefix is reserved, a suffix does not help: a letter in front does.
  if (is_reserved_(base + "_2")) base = "v" + base;
  std::string identifier = base;
  for (int k = 2; is_reserved_(identifier) || !taken_.insert(identifier).second; ++k)
    identifier = fmt::format("{}_{}", base, k);
  return identifiers_.emplace(std::pair(kind, name), identifier).first->second;
}

}  // namespace tensordsl::codegen

// The fields of a profile as a flat list.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::cli {

/// A field of the profile, "buffer_caches[0].bytes", and its value.
struct ProfileRow {
  std::string name, unit;
  std::variant<std::monostate, Measurement, BoolMeasurement, std::vector<int>, std::vector<OccupancyStep>>
      value;

  bool is_known() const { return value.index() > 0; }
  /// "48 KiB", "yes", "8, 16", "1024 to 48, 512 to 96"; empty if it is not known.
  std::string text() const;
  /// Returns "confident", "a guess", or "" for a figure without confidence.
  std::string confidence() const;
  /// "4.466 to 5.816" in the unit of text(), "900 KiB to 1.2 MiB" if there are several; empty where it is one
  /// value.
  std::string range() const;
};

/// True if the values differ by more than 10 %, the limit at which two passes disagree, or if one is not
/// known.
bool differs(const ProfileRow& a, const ProfileRow& b);

/// Returns the rows in the order of the fields.
std::vector<ProfileRow> profile_rows(const HwProfile& profile);

}  // namespace tensordsl::cli

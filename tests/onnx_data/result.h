// The result of a case.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::conformance {

/// Refused: with an Error, while it was loaded or compiled. Failed: a mistake of the library or the driver,
/// on which it ended or did not end.
enum class Outcome : std::uint8_t { Passed, Refused, Wrong, Failed, OutOfScope };

constexpr std::array<std::string_view, 5> kOutcomes{"passed", "refused", "wrong", "failed", "out of scope"};

constexpr std::string_view to_string(Outcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

struct Result {
  Outcome outcome = Outcome::Failed;
  std::string reason{};  ///< one line without a path; empty if it passed
  /// Inputs that were built into the model: the library has to know them when it compiles.
  std::vector<std::string> constants{};
};

}  // namespace tensordsl::conformance

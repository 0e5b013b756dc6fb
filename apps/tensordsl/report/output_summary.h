// Summarizes an output: its largest elements, and how many are not a number.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "tensordsl/buffer.h"

namespace tensordsl::cli {

/// An element with its exact value: integers are not rounded.
struct Element {
  std::int64_t index = 0;
  std::variant<bool, std::int64_t, std::uint64_t, double> value;

  std::string text() const;  ///< "true", "-9223372036854775808", "0.500000", "inf"
  nlohmann::ordered_json json() const;
};

struct OutputSummary {
  /// The largest five of a row of scores, the first of equal ones first; empty for any other tensor. NaN is
  /// not among them.
  std::vector<Element> largest;
  std::int64_t nan = 0;  ///< elements of the whole output that are NaN
};

OutputSummary summarize(const Buffer& output);

}  // namespace tensordsl::cli

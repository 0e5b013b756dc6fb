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
  /// The largest five of each row of a batch [N, scores], with indices in the row; of the first eight rows if
  /// there are more. Empty for any other tensor.
  std::vector<std::vector<Element>> rows;
  std::int64_t rows_left = 0;  ///< rows of the batch after these
  std::int64_t nan = 0;        ///< elements of the whole output that are NaN
};

OutputSummary summarize(const Buffer& output);

/// Numbers of elements that are no finite numbers.
struct NotFinite {
  std::int64_t nan = 0, infinite = 0;

  bool is_none() const { return nan == 0 && infinite == 0; }
  std::string text() const;  ///< "3 NaN and 1 infinite"
};

NotFinite count_not_finite(const Buffer& buffer);

}  // namespace tensordsl::cli

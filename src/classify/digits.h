// Indices as mixed-radix numbers (delinearized indices).
//
// An axis d of extent 12 that is read as d/4 and d%4 has two digits, of 3 and 4 values. A sum such as (d/4)*5
// + e is a number whose digits are, from the most significant, d/4 and e. A reshape, a transpose and a
// space-to-depth combine the digits of the output's axes in another way; they use each exactly once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/nodes/expr_node.h"

namespace tensordsl::classify {

/// The digit (source / low) % size, where `source` is an axis, or a number combined from axes.
struct Digit {
  Expr source;
  std::int64_t low = 1;
  std::int64_t size = 1;

  friend bool operator==(const Digit& a, const Digit& b) {
    return same(a.source, b.source) && a.low == b.low && a.size == b.size;
  }
};

struct Axis {
  std::string name;
  std::int64_t extent = 1;
};

/// Returns the digits of `index`, the most significant first, without digits of one value; nullopt if it is
/// not such a number or a digit does not divide its source evenly.
std::optional<std::vector<Digit>> digits_of(const Expr& index, const std::vector<Axis>& axes);

/// Returns the number of values of a number with these digits.
std::int64_t value_count(const std::vector<Digit>& digits);

/// True if `used` has each part of each axis exactly once: then a number with these digits maps one to one to
/// the points of the axes.
bool use_each_once(const std::vector<Axis>& axes, const std::vector<Digit>& used);

/// ... and whether they are in the row-major order of the axes. Needs: use_each_once.
bool are_in_order(const std::vector<Axis>& axes, const std::vector<Digit>& used);

}  // namespace tensordsl::classify

// Addresses that repeat at equal distances, and the memory that they touch together.
#pragma once

#include <cstdint>
#include <vector>

namespace tensordsl::predict {

/// Addresses at equal distances.
struct Repetition {
  double times = 1;
  double bytes = 0;  ///< distance from one address to the next; 0: the same address

  friend bool operator==(const Repetition&, const Repetition&) = default;
};

/// Orders repetitions from near to far, without those that repeat an address, and joins those that overlap:
/// three steps of a window by 16 bytes and eight of its neighbors by 32 are 17 by 16.
std::vector<Repetition> joined(std::vector<Repetition> repetitions);

/// Returns repetitions, one inside the other, that give these offsets. Offsets without such an order are as
/// many at the average distance.
std::vector<Repetition> repetitions_of(std::vector<std::int64_t> offsets);

/// Returns the number of addresses of joined repetitions.
double addresses_of(const std::vector<Repetition>& repetitions);

/// Returns the bytes that accesses of that size touch. Gaps are not fetched, except for the rest of lines.
double bytes_touched(double access_bytes, std::vector<Repetition> repetitions, double line_bytes);

}  // namespace tensordsl::predict

// What was measured of one schedule of one kernel on one device: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::records {

/// A device as its driver tells of it, and the library that made the kernels. Times and failures hold for all
/// three together.
struct DeviceKey {
  std::string device, driver, library;
  friend auto operator<=>(const DeviceKey&, const DeviceKey&) = default;
};

/// A kernel by what it computes: the same for all groups that differ in names alone.
struct KernelKey {
  std::string structure;  ///< SHA-256 of the group's key, in hexadecimal digits
  std::string family;     ///< the same of the key without its numbers
  /// The numbers that `family` leaves out, in their order: extents, strides, windows. Kernels of one family
  /// with other sizes are the ones to learn from.
  std::vector<std::int64_t> sizes;
  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

/// The strategy of a record that says how long the kernels take that can stand in a kernel's place.
inline constexpr std::string_view kApart = "apart";

struct TuningRecord {
  KernelKey kernel;
  DeviceKey device;
  std::string operators;        ///< "Conv+Relu", for people
  std::string strategy, point;  ///< schedules/support/point.h
  std::optional<double> us;     ///< median of one run; none if it failed
  std::string failure;          ///< why it did: such a schedule is not tried again
  /// What was known of it before it ran (search/features.h), by name.
  std::map<std::string, double> features;

  bool is_apart() const { return strategy == kApart; }
  bool is_better_than(const TuningRecord& other) const { return us && (!other.us || *us < *other.us); }
  friend bool operator==(const TuningRecord&, const TuningRecord&) = default;
};

}  // namespace tensordsl::records

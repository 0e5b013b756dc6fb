// The result of one schedule of one kernel on one device: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/kernel_key.h"

namespace tensordsl::records {

/// A device, by the names that its driver reports, and the library that made the kernels. Times and failures
/// hold for all three together.
struct DeviceKey {
  std::string device, driver, library;
  friend auto operator<=>(const DeviceKey&, const DeviceKey&) = default;
};

/// The strategy of a record with the time of the unfused kernels that can replace a fused one.
inline constexpr std::string_view kApart = "apart";

struct TuningRecord {
  KernelKey kernel;
  DeviceKey device;
  std::string operators;        ///< "Conv+Relu", as a label
  std::string strategy, point;  ///< schedules/support/point.h
  std::optional<double> us;     ///< median of one run; none if it failed
  std::string failure;          ///< why it did: such a schedule is not tried again
  /// The features of it that were known before it ran (search/trial.h), by name.
  std::map<std::string, double> features;

  bool is_apart() const { return strategy == kApart; }
  bool is_better_than(const TuningRecord& other) const { return us && (!other.us || *us < *other.us); }
  friend bool operator==(const TuningRecord&, const TuningRecord&) = default;
};

}  // namespace tensordsl::records

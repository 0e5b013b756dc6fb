// The tuning records that come with the library: schedules/tuned/*.json.
#pragma once

#include <string>
#include <vector>

#include "records/tuning_record.h"

namespace tensordsl::tune {

/// Returns the bundled records for a device whose name has all the parts that a file asks for: "platform /
/// device", as measure::key_of gives it, or the name that a profile has.
std::vector<records::TuningRecord> shipped_records(const std::string& device);

/// The names of the files, each with its records.
struct ShippedFile {
  std::string name;
  std::vector<std::string> device_parts;
  std::vector<records::TuningRecord> records;
};
std::vector<ShippedFile> shipped_files();

}  // namespace tensordsl::tune

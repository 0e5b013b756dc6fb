// Tuning records as a text that people can read and version control can compare: a line for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "records/tuning_record.h"

namespace tensordsl::records {

/// Returns JSON of version 2, in the given order. It lacks the features, which only a further search needs,
/// not a compilation with the fastest schedules. `device_parts`, if there are any: parts of device names for
/// which the records are valid, in addition to the devices on which they were measured; such records have no
/// label.
std::string to_json(const std::vector<TuningRecord>& records,
                    const std::vector<std::string>& device_parts = {});

/// Parses the JSON of tuning records. Throws ParseError that says what is wrong.
std::vector<TuningRecord> records_from_json(std::string_view json);

}  // namespace tensordsl::records

// Tuning records as a text that people can read and version control can compare: a line for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "records/tuning_record.h"

namespace tensordsl::records {

/// JSON of version 2; in the order given. Without the features: they are of use to whoever searches on, not
/// to whoever runs the fastest. `device_parts`, if there are any: what the name of a device has that the
/// records are for, beside those that they were made on; such records have no label for people.
std::string to_json(const std::vector<TuningRecord>& records,
                    const std::vector<std::string>& device_parts = {});

/// Reads it again. Throws ParseError that says what is wrong.
std::vector<TuningRecord> records_from_json(std::string_view json);

}  // namespace tensordsl::records

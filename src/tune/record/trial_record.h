// A trial <-> its record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/tuning_record.h"
#include "search/trial.h"

namespace tensordsl::tune {

/// `operators`: label of the kernel.
records::TuningRecord record_of(const search::Trial& trial, const records::KernelKey& kernel,
                                const records::DeviceKey& device, const std::string& operators);

/// Returns the schedule, or nothing if the group does not have it: a record may be of another version of
/// tensordsl, or of a kernel of other sizes.
std::optional<graph::GroupSchedule> schedule_of(const records::TuningRecord& record,
                                                const definitions::StoredGroup& group, const Target& target);

/// Returns the prediction that the record has for the schedule: its time and its features, if it has them.
search::Evaluation prediction_of(const records::TuningRecord& record);

/// Returns the training data of a cost model: trials of any kernels, without their schedules, of records that
/// have features and a time.
std::vector<search::Trial> learned_trials(const std::vector<records::TuningRecord>& records);

}  // namespace tensordsl::tune
